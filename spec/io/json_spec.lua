-- The reader of JSON: what RFC 8259 allows, and one message for each thing that it does not.
local json = require "cuna.io.json"

--- Asserts that a text is refused with a message.
local function refuses(problem, text)
  local value, said = json.read(text)
  assert.is_nil(value)
  assert.equal(problem, said)
end

describe("json", function()
  it("reads every kind of value", function()
    assert.same({a = 1, b = {c = "d"}}, json.read ' {"a" : 1 ,\n"b":{"c":"d"}} ')
    local list = json.read '[0, -1.5, 2e3, 1E-2, true, false, null, "x", [], {}]'
    assert.same({0, -1.5, 2000, 0.01, true, false}, {unpack(list, 1, 6)})
    assert.equal(json.null, list[7])
    assert.equal(json.LIST, getmetatable(list[9]))
    assert.is_true(json.is_object(list[10]) and not json.is_object(list[9]) and not json.is_object(json.null))
    assert.equal("null", tostring(list[7]))
    assert.equal(false, (json.read "false"))
  end)

  it("reads strings with escapes and characters of several bytes", function()
    assert.equal('"\\/\b\f\n\r\t', json.read [["\"\\\/\b\f\n\r\t"]])
    assert.equal("é€𝄞\0", json.read [["\u00e9\u20AC\uD834\uDD1E\u0000"]])
    assert.equal("é€𝄞", json.read '"é€𝄞"')
    assert.equal("", json.read '""')
  end)

  it("refuses what JSON does not have", function()
    refuses("no JSON value at byte 1", "")
    for text, at in pairs {["{\"a\":}"] = 6, ["[1,]"] = 4, ["[,1]"] = 2, ["+1"] = 1, [".5"] = 1, ["-"] = 1,
      ["nan"] = 1, ["True"] = 1, ["'a'"] = 1, ["[-]"] = 2, ["\"a\": 1}"] = nil} do
      refuses("no JSON value at byte " .. at, text)
    end
    refuses("text after the value at byte 2", "01")
    refuses("text after the value at byte 2", "1.")
    refuses("text after the value at byte 4", "{} {}")
    refuses("a key is missing at byte 2", "{1:2}")
    refuses("a key is missing at byte 8", '{"a":1,}')
    refuses("a colon is missing at byte 6", '{"a" 1}')
    refuses("'}' or a comma is missing at byte 7", '{"a":1')
    refuses("']' or a comma is missing at byte 4", "[1 2]")
    refuses("the key 'a' is there twice at byte 8", '{"a":1,"\\u0061":2}')
    refuses("the key 'a' is there twice at byte 11", '{"a":null,"a":2}')
    refuses("more than 64 levels at byte 65", ("["):rep(65))
  end)

  it("refuses strings that are damaged", function()
    refuses("a string that does not end at byte 1", '"a')
    refuses("a string that does not end at byte 1", '"a\\"')
    refuses("a control character in a string at byte 3", '"a\n"')
    refuses("a control character in a string at byte 2", '"\0"')
    refuses("an escape that JSON does not have at byte 2", '"\\x41"')
    refuses("an escape that JSON does not have at byte 2", '"\\u12"')
    for _, half in ipairs {'"\\ud800"', '"\\udc00"', '"\\ud800\\ud800"', '"\\ud800x"'} do
      refuses("half of a surrogate pair at byte 2", half)
    end
    for _, bytes in ipairs {"\128", "\192\128", "\193\191", "\224\159\191", "\237\160\128", "\240\143\191\191",
      "\244\144\128\128", "\245\128\128\128", "\226\130", "\255"} do
      refuses("byte 3 is not UTF-8", '"a' .. bytes .. '"')
    end
  end)

  it("writes strings that it reads back", function()
    local text = {}
    for byte = 0, 127 do text[byte + 1] = string.char(byte) end
    text = table.concat(text) .. "é€𝄞"
    assert.equal(text, json.read(json.quote(text)))
    assert.equal([["\u0000\"\\\n"]], json.quote "\0\"\\\n")
  end)
end)
