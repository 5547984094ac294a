/* driver_image.c: finds the ends of kernel images, because CUDA takes them without a length.
 *
 * The end of an ELF image is the farthest byte that its tables refer to; a fatbin has its length after its magic
 * number. Both are read with memcpy, because an image may be unaligned. */
#include "seam/driver_image.h"

#include <elf.h>
#include <link.h>
#include <string.h>

#define MAX_NBYTES   ((size_t)1 << 31)
#define FATBIN_MAGIC 0xba55ed50u

#if __SIZEOF_POINTER__ == 8
#define NATIVE_CLASS ELFCLASS64
#else
#define NATIVE_CLASS ELFCLASS32
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE_ORDER ELFDATA2LSB
#else
#define NATIVE_ORDER ELFDATA2MSB
#endif

/* An image being read; `end`: the farthest byte so far. */
struct image {
    const unsigned char *bytes;
    size_t limit, end;
};

/* Records a part; false when it exceeds the image. */
static bool reach(struct image *image, uint64_t offset, uint64_t nbytes)
{
    if (offset > image->limit || nbytes > image->limit - offset)
        return false;
    image->end = offset + nbytes > image->end ? (size_t)(offset + nbytes) : image->end;
    return true;
}

/* Stops at the first wrong byte, because other data may be shorter than a header. */
static bool read_header(ElfW(Ehdr) * header, struct image *image)
{
    static const unsigned char expected[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, NATIVE_CLASS, NATIVE_ORDER};
    for (size_t i = 0; i < sizeof expected; i++)
        if (!reach(image, i, 1) || image->bytes[i] != expected[i])
            return false;
    if (!reach(image, 0, sizeof *header))
        return false;
    memcpy(header, image->bytes, sizeof *header);
    return true;
}

static bool read_segments(struct image *image, const ElfW(Ehdr) * header)
{
    ElfW(Phdr) segment;
    if (header->e_phnum > 0 && header->e_phentsize != sizeof segment)
        return false;
    bool good = reach(image, header->e_phoff, (uint64_t)header->e_phnum * sizeof segment);
    for (unsigned i = 0; good && i < header->e_phnum; i++) {
        memcpy(&segment, image->bytes + header->e_phoff + i * sizeof segment, sizeof segment);
        good = reach(image, segment.p_offset, segment.p_filesz);
    }
    return good;
}

static bool read_sections(struct image *image, const ElfW(Ehdr) * header)
{
    ElfW(Shdr) section;
    if (header->e_shnum > 0 && header->e_shentsize != sizeof section)
        return false;
    bool good = reach(image, header->e_shoff, (uint64_t)header->e_shnum * sizeof section);
    for (unsigned i = 0; good && i < header->e_shnum; i++) {
        memcpy(&section, image->bytes + header->e_shoff + i * sizeof section, sizeof section);
        good = reach(image, section.sh_offset, section.sh_type == SHT_NOBITS ? 0 : section.sh_size);
    }
    return good;
}

size_t cuna__image_measure(const void *bytes, size_t limit)
{
    struct image image = {.bytes = bytes, .limit = limit < MAX_NBYTES ? limit : MAX_NBYTES};
    ElfW(Ehdr) header;
    return read_header(&header, &image) && read_segments(&image, &header) && read_sections(&image, &header) ? image.end
                                                                                                            : 0;
}

bool cuna__image_is_whole(const void *image, size_t nbytes)
{
    struct {
        uint32_t magic;
        uint16_t version, header_nbytes;
        uint64_t nbytes; /* after the header */
    } fatbin = {0};
    if (nbytes >= SELFMAG && memcmp(image, ELFMAG, SELFMAG) == 0)
        return cuna__image_measure(image, nbytes) > 0;
    memcpy(&fatbin, image, nbytes < sizeof fatbin ? nbytes : sizeof fatbin);
    if (fatbin.magic != FATBIN_MAGIC)
        return true;
    return nbytes >= sizeof fatbin && fatbin.header_nbytes <= nbytes && fatbin.nbytes <= nbytes - fatbin.header_nbytes;
}
