/* raw_carray.cuh: the class of <cupy/carray.cuh>, for all devices: an array as a kernel gets it by value, with its shape and
 * its strides in bytes. runtime/work/raw_argument.c packs the same order. */
#ifndef CUNA_RAW_CARRAY
#define CUNA_RAW_CARRAY

/* A loop over [0, n) that all threads of a grid share. */
#define CUPY_FOR(i, n)                                                                                                 \
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (long long)blockDim.x * gridDim.x)

template <bool NARROW> struct cuna_carray_index { typedef long long type; };
template <> struct cuna_carray_index<true> { typedef int type; };

template <typename T, int _ndim, bool _c_contiguous = false, bool _use_32bit_indexing = false>
class CArray {
  public:
    static const int ndim = _ndim;
    static const bool c_contiguous = _c_contiguous;
    typedef typename cuna_carray_index<_use_32bit_indexing>::type index_t;

  private:
    T *data_;
    long size_, shape_[_ndim], strides_[_ndim];

    template <class S> __device__ __forceinline__ void set_shape(const S &shape)
    {
        size_ = 1;
        for (int axis = 0; axis < _ndim; ++axis)
            size_ *= shape_[axis] = long(shape[axis]);
    }
    __device__ __forceinline__ T &at(index_t distance) const { return *(T *)((char *)data_ + distance); }

  public:
    __device__ __forceinline__ CArray() : data_(0), size_(1), shape_(), strides_() {}

    /* `shape` and `strides` are pointers, or lists in braces; strides may be left out of a contiguous array. */
    template <class S, class D> __device__ CArray(T *data, const S &shape, const D &strides) : data_(data)
    {
        set_shape(shape);
        for (int axis = 0; axis < _ndim; ++axis)
            strides_[axis] = long(strides[axis]);
    }
    template <class S, class D>
    __device__ CArray(T *data, const S (&shape)[_ndim], const D (&strides)[_ndim])
        : CArray(data, (const S *)shape, (const D *)strides)
    {
    }
    template <class S> __device__ CArray(T *data, const S &shape) : data_(data)
    {
        static_assert(_c_contiguous, "strides may be left out of a CArray that is contiguous");
        set_shape(shape);
        long step = sizeof(T);
        for (int axis = _ndim - 1; axis >= 0; step *= shape_[axis--])
            strides_[axis] = step;
    }
    template <class S>
    __device__ CArray(T *data, const S (&shape)[_ndim]) : CArray(data, (const S *)shape)
    {
    }

    __device__ __forceinline__ long size() const { return size_; }
    __device__ __forceinline__ const long *shape() const { return shape_; }
    __device__ __forceinline__ const long *strides() const { return strides_; }

    /* The element at a position of each axis. */
    template <class I> __device__ __forceinline__ const T &operator[](const I (&index)[_ndim]) const
    {
        index_t distance = 0;
        for (int axis = 0; axis < _ndim; ++axis)
            distance += index_t(strides_[axis]) * index_t(index[axis]);
        return at(distance);
    }
    template <class I> __device__ __forceinline__ T &operator[](const I (&index)[_ndim])
    {
        return const_cast<T &>(const_cast<const CArray &>(*this)[index]);
    }
    /* Element i in C order. */
    __device__ __forceinline__ const T &operator[](long long i) const
    {
        if (_c_contiguous)
            return data_[i];
        index_t rest = index_t(i), distance = 0;
        for (int axis = _ndim - 1; axis > 0; --axis) {
            const index_t length = index_t(shape_[axis]);
            distance += index_t(strides_[axis]) * (rest % length);
            rest /= length;
        }
        return at(distance + index_t(strides_[0]) * rest);
    }
    __device__ __forceinline__ T &operator[](long long i)
    {
        return const_cast<T &>(const_cast<const CArray &>(*this)[i]);
    }
};

/* An array without axes: its element. */
template <typename T, bool _c_contiguous, bool _use_32bit_indexing>
class CArray<T, 0, _c_contiguous, _use_32bit_indexing> {
    T *data_;
    long size_;

  public:
    static const int ndim = 0;
    static const bool c_contiguous = _c_contiguous;
    typedef typename cuna_carray_index<_use_32bit_indexing>::type index_t;

    __device__ __forceinline__ explicit CArray(T *data = 0) : data_(data), size_(1) {}
    __device__ __forceinline__ long size() const { return size_; }
    __device__ __forceinline__ const long *shape() const { return 0; }
    __device__ __forceinline__ const long *strides() const { return 0; }
    template <class I> __device__ __forceinline__ T &operator[](const I &) { return *data_; }
    template <class I> __device__ __forceinline__ const T &operator[](const I &) const { return *data_; }
};

#endif
