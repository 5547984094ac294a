--- Events: objects, marks in streams, and the time between two of them.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

devices.each_device(function(device)
  after_each(function() cn.synchronize() end)

  describe("an event", function()
    it("belongs to no device before its first record", function()
      local event = cn.cuda.Event()
      assert.is_true(event.done)
      assert.is_nil(event.device)
      assert.equal(0, event.ptr)
      assert.equal("<event not recorded>", tostring(event))
      event:synchronize()
      cn.cuda.Stream():wait_event(event)
    end)

    it("belongs to the device of its first record", function()
      local event = cn.cuda.Event()
      assert.is_true(rawequal(event, event:record()))
      assert.equal(device, event.device)
      assert.is_true(event.ptr ~= 0)
      assert.matches("^<event 0x%x+: " .. device.name .. ">$", tostring(event))
      assert.equal("cpu", cn.cuda.Event():record(cn.cuda.Stream{device = "cpu"}).device.name)
      assert.equal("cpu", cn.cuda.Event():record{stream = cn.cuda.Stream{device = "cpu"}}.device.name)
    end)

    it("is done when the work before it is", function()
      local s, event = cn.cuda.Stream{non_blocking = true}, cn.cuda.Event{blocking = true}
      local x = s:with(function()
        local x = cn.zeros(100)
        for _ = 1, 20 do x:add_(1) end
        event:record()
        return x
      end)
      if device.model == "Simulated GPU" then assert.is_false(event.done) end
      event:synchronize()
      assert.is_true(event.done)
      assert.equal(2000, s:with(function() return x:sum():item() end))
      event:record(s)
      repeat until event.done
    end)

    it("marks another place when it is recorded again", function()
      local s, event, x = cn.cuda.Stream{non_blocking = true}, cn.cuda.Event{disable_timing = true}, cn.zeros(10)
      cn.synchronize()
      for k = 1, 20 do
        s:with(x.add_, x, 1)
        s:record(event)
        event:synchronize()
        assert.equal(k, s:with(function() return x[1] end))
      end
    end)

    it("that was freed says so", function()
      local event, other = cn.cuda.Event(), cn.cuda.Event():record()
      event:record()
      event:free()
      event:free()
      assert.equal("<event freed>", tostring(event))
      raises("record: the event was freed", function() event:record() end)
      raises("record: the event was freed", function() cn.cuda.Stream.null:record(event) end)
      raises("synchronize: the event was freed", function() event:synchronize() end)
      raises("done: the event was freed", function() return event.done, 1 end)
      raises("wait_event: the event was freed", function() cn.cuda.Stream.null:wait_event(event) end)
      raises("get_elapsed_time: the event was freed", function() cn.cuda.get_elapsed_time(event, other) end)
    end)

    it("goes when nothing refers to it", function()
      for _ = 1, 2000 do cn.cuda.Event():record() end
      collectgarbage()
    end)
  end)

  describe("elapsed time", function()
    it("is given in milliseconds", function()
      local a, b = cn.cuda.Event(), cn.cuda.Event()
      a:record()
      local x = cn.ones(1000)
      for _ = 1, 10 do x:mul_(1.5) end
      b:record()
      b:synchronize()
      local ms = cn.cuda.get_elapsed_time(a, b)
      assert.is_true(ms >= 0 and ms < 60000)
      assert.is_true(cn.cuda.get_elapsed_time(b, a) <= 0)
      assert.equal(0, cn.cuda.get_elapsed_time(a, a))
    end)

    it("is refused", function()
      local never, timeless = cn.cuda.Event(), cn.cuda.Event{disable_timing = true}:record()
      local event = cn.cuda.Event():record()
      cn.synchronize()
      raises("get_elapsed_time: the second event was never recorded", function()
        cn.cuda.get_elapsed_time(event, never)
      end)
      raises("get_elapsed_time: the first event was never recorded", function()
        cn.cuda.get_elapsed_time(never, event)
      end)
      raises("get_elapsed_time: the first event was made with disable_timing", function()
        cn.cuda.get_elapsed_time(timeless, event)
      end)
      raises("get_elapsed_time: expected an event, such as cn.cuda.Event(), got number", function()
        cn.cuda.get_elapsed_time(event, 3)
      end)
      if device.model == "Simulated GPU" then
        local s, x = cn.cuda.Stream{non_blocking = true}, cn.ones(10)
        for _ = 1, 5 do s:with(x.add_, x, 1) end
        local late = s:record()
        raises("get_elapsed_time: the work before an event is not done; call its synchronize() first", function()
          cn.cuda.get_elapsed_time(event, late)
        end)
      end
      if device.kind == "cuda" then
        local foreign = cn.cuda.Event():record(cn.cuda.Stream{device = "cpu"})
        raises("get_elapsed_time: one event is of " .. device.name .. " and the other of cpu", function()
          cn.cuda.get_elapsed_time(event, foreign)
        end)
        raises("record: the event was recorded on cpu before, and the stream is of " .. device.name, function()
          foreign:record()
        end)
      end
    end)
  end)

  it("misuse is reported", function()
    local event = cn.cuda.Event()
    raises("cuda.Event: unknown option 'block'; known are blocking, disable_timing, interprocess", function()
      cn.cuda.Event{block = true}
    end)
    raises("cuda.Event: takes a table of options such as {disable_timing = true}, got boolean", function()
      cn.cuda.Event(true)
    end)
    raises("cuda.Event: blocking is true or false, got 1", function() cn.cuda.Event{blocking = 1} end)
    raises("cuda.Event: an interprocess event cannot record times; pass disable_timing = true too", function()
      cn.cuda.Event{interprocess = true}
    end)
    raises("cuda.Event: a function of cn.cuda is called with a dot", function() cn.cuda:Event() end)
    raises("cuda.get_elapsed_time: a function of cn.cuda is called with a dot", function()
      cn.cuda:get_elapsed_time(event, event)
    end)
    raises("record: an event's function is called with a colon: event:record()", function() event.record() end)
    raises("record: expected a stream, such as cn.cuda.Stream(), got number", function() event:record(3) end)
    raises("record: expected a stream, such as cn.cuda.Stream(), got string", function()
      event:record {stream = "s"}
    end)
    raises("record: unknown option 'streams'; known are stream", function() event:record {streams = 3} end)
    assert.error_matches(function() return cn.cuda.Event().query end, "did you mean 'done'%?$")
    raises("an event has no field 'don'; there are device, done, free, ptr, record, synchronize; did you mean 'done'?",
      function() return event.don, 1 end)
    raises("an event's field 'done' cannot be assigned", function() event.done = true end)
  end)
end)
