import { Pause, Play, StepBack, StepForward } from 'lucide-react'
import { spokenMs } from '#web/agents/runs/run-words.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { RangeField } from '#web/ui/range-field.tsx'
import { SegmentedControl } from '#web/ui/segmented-control.tsx'
import { type Replay, type ReplaySpeed, replaySpeeds } from './use-replay.ts'

const speeds = replaySpeeds.map((speed) => ({ value: String(speed), label: `${speed}×` }))

export function ReplayBar({ replay, endMs }: { replay: Replay; endMs: number }) {
  const { ms, playing, speed, setSpeed, goTo, toggle, back, onward } = replay
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-border bg-card px-4 py-2" data-chrome>
      <div className="flex items-center gap-0.5">
        <IconButton label="Previous step" disabled={!back} onClick={back}>
          <StepBack aria-hidden size={15} />
        </IconButton>
        <IconButton label={playing ? 'Pause' : 'Play'} outlined onClick={toggle}>
          {playing ? <Pause aria-hidden size={15} /> : <Play aria-hidden size={15} />}
        </IconButton>
        <IconButton label="Next step" disabled={!onward} onClick={onward}>
          <StepForward aria-hidden size={15} />
        </IconButton>
      </div>
      <RangeField
        label="Moment of the run"
        labelHidden
        className="min-w-40 flex-1"
        value={Math.round(ms)}
        min={0}
        max={Math.max(1, Math.round(endMs))}
        step={Math.max(1, Math.round(endMs / 200))}
        format={spokenMs}
        onNumberChange={goTo}
      />
      <span className="text-small text-muted-foreground tabular-nums">
        {spokenMs(ms)} of {spokenMs(endMs)}
      </span>
      <SegmentedControl
        label="Speed"
        options={speeds}
        value={String(speed)}
        onValueChange={(value) => setSpeed(Number(value) as ReplaySpeed)}
      />
    </div>
  )
}
