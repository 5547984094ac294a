--- What goes on between two CUDA devices: events that streams of both wait for, and copies in the order of streams.
local cn = require "cuna"
local raises = require("spec.support.raises").raises
local two_devices = require "spec.support.two_devices"

local zero, one, is_late = two_devices.zero, two_devices.one, two_devices.is_late
local stream_on, with_streams = two_devices.stream_on, two_devices.with_streams

local function collect()
  collectgarbage()
  collectgarbage()
end

two_devices.describe(function()
  describe("events", function()
    it("belong to the device of their first record", function()
      local event = one:with(function() return cn.cuda.Event():record() end)
      assert.equal(one, event.device)
      raises("record: the event was recorded on cuda:1", function() event:record() end)
      raises("record: the event was recorded on cuda:1", function() event:record(stream_on(zero)) end)
      event:record(stream_on(one)):synchronize()
    end)

    it("measure time on each device, and none between two", function()
      local marks = {}
      for _, device in ipairs {zero, one} do
        device:with(function()
          local start, stop = cn.cuda.Event():record(), cn.cuda.Event()
          cn.ones(1000):add_(1)
          stop:record():synchronize()
          assert.is_true(cn.cuda.get_elapsed_time(start, stop) >= 0)
          marks[#marks + 1] = stop
        end)
      end
      raises("get_elapsed_time: ", function() local _ = cn.cuda.get_elapsed_time(marks[1], marks[2]) end)
    end)

    --- How many of 40 copies to another device have old values: every other one waits for the write.
    local function count_stale()
      local a, b, stale = stream_on(zero), stream_on(one), 0
      local x = cn.evaluate(cn.zeros(8))
      zero:synchronize()
      for k = 1, 40 do
        local ordered = k % 2 == 0
        a:with(x.fill, x, k)
        if ordered then b:wait_event(a:record()) end
        -- The copy follows cuda:0's current stream, which is not `a`.
        local value = b:with(function() return x:to(one)[8] end)
        assert.is_true(value == k or not ordered and value == k - 1)
        if value ~= k then stale = stale + 1 end
        a:synchronize()
      end
      return stale
    end

    it("let a stream wait for another device, which it does not by itself", function()
      count_stale() -- a recorded write gives the array another content: the old one or the new one is seen
      local was_eager = cn.is_eager()
      cn.set_eager(true)
      local ok, stale = pcall(count_stale)
      cn.set_eager(was_eager)
      assert.is_true(ok, stale)
      if is_late then assert.is_true(stale > 0) end
    end)

    it("wait in both directions, round after round", function()
      local a, b = stream_on(zero), stream_on(one)
      local x = cn.zeros(100)
      zero:synchronize()
      for _ = 1, 20 do
        a:with(x.add_, x, 1)
        b:wait_event(a:record())
        local y = b:with(x.to, x, one)
        b:with(y.mul_, y, 2)
        a:wait_event(b:record())
        x = a:with(y.to, y, zero)
      end
      a:synchronize()
      assert.equal(2 ^ 21 - 2, x[100])
    end)
  end)

  describe("copies between them", function()
    it("follow the current streams of both", function()
      local a, b = stream_on(zero), stream_on(one)
      with_streams({a, b}, function()
        for k = 1, 20 do
          local x = cn.full(1000, k)
          local y = x:to(one)
          x:fill(-1) -- after the copy
          y:add_(1)
          local z = y:to(zero)
          y:fill(-1)
          assert.equal(1000 * (k + 1), z:sum():item())
        end
      end)
    end)

    it("go to a stream of the destination that is given", function()
      local b = stream_on(one)
      local x = cn.arange(100)
      local y = cn.no_sync(x.to, x, one, {stream = b})
      if is_late then assert.is_false(b.done) end
      b:synchronize()
      assert.same(x:totable(), y:totable())
      raises("to: the stream is of cuda:0, and the work is on cuda:1", function()
        local _ = x:to(one, {stream = stream_on(zero)})
      end)
    end)

    it("do not make the script wait", function()
      cn.no_sync(function()
        local x = cn.ones(1000)
        local y = x:to(one)
        y["2:"] = (x["2:"] + 1):to(one)
        y:to(zero)
      end)
    end)

    for _, which in ipairs {"that made it", "that it was copied from"} do
      it("have read a source that was freed, whose memory the stream " .. which .. " uses again", function()
        for k = 1, 40 do
          local a, b, c = stream_on(zero), stream_on(one), stream_on(zero)
          local x = a:with(cn.full, 5000, k)
          c:wait_event(a:record())
          local y = with_streams({b, c}, x.to, x, one)
          x:free()
          local reused = (which == "that made it" and a or c):with(cn.full, 5000, -k)
          assert.equal(5000 * k, b:with(function() return y:sum():item() end))
          zero:synchronize()
          assert.equal(-5000 * k, reused:sum():item())
          for _, made in ipairs {y, reused, a, b, c} do made:free() end
        end
      end)
    end

    it("do not write into a destination that was freed and used again", function()
      local b, c = stream_on(one), stream_on(one)
      for k = 1, 30 do
        local x = cn.full(5000, k)
        local y = b:with(x.to, x, one)
        y:free()
        local reused = (k % 2 == 0 and b or c):with(function() return cn.full(5000, -k, {device = one}) end)
        one:synchronize()
        assert.equal(-5000 * k, reused:sum():item())
        reused:free()
      end
    end)

    it("give the temporary memory of a strided view back in order", function()
      local a, b = stream_on(zero), stream_on(one)
      with_streams({a, b}, function()
        for k = 1, 20 do
          local x = cn.full({60, 50}, k)
          local y = x.T["::2"]:to(one)
          x:free()
          local z = cn.full({60, 50}, -1)
          assert.equal(1500 * k, y:sum():item())
          z:free()
          y:free()
        end
      end)
    end)

    it("go on when their streams are freed and everything is dropped", function()
      local kept = {}
      for k = 1, 100 do
        local a, b = stream_on(zero), stream_on(one)
        kept[k] = with_streams({a, b}, function() return (cn.full(50, k) * 2):to(one) + 1 end)
        if k % 2 == 0 then
          a:free()
          b:free()
        end
        if k % 25 == 0 then collect() end
      end
      one:synchronize()
      for k = 1, 100 do assert.equal(50 * (2 * k + 1), kept[k]:sum():item()) end
    end)
  end)
end)
