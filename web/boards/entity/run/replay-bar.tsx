import { Pause, Play, StepBack, StepForward } from 'lucide-react'
import { formatDuration } from '#web/agents/runs/run-texts.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { RangeField } from '#web/ui/fields/range-field.tsx'
import { type Replay, type ReplaySpeed, replaySpeeds } from './use-replay.ts'

const speeds = replaySpeeds.map((speed) => ({ value: String(speed), label: `${speed}×` }))

export function ReplayBar({ replay, endMs }: { replay: Replay; endMs: number }) {
  const { ms, playing, speed, setSpeed, goTo, toggle, stepBack, stepForward } = replay
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-border bg-card px-4 py-2" data-chrome>
      <div className="flex items-center gap-0.5">
        <IconButton label="Previous step" disabled={!stepBack} onClick={stepBack}>
          <StepBack aria-hidden size={15} />
        </IconButton>
        <IconButton label={playing ? 'Pause' : 'Play'} outlined onClick={toggle}>
          {playing ? <Pause aria-hidden size={15} /> : <Play aria-hidden size={15} />}
        </IconButton>
        <IconButton label="Next step" disabled={!stepForward} onClick={stepForward}>
          <StepForward aria-hidden size={15} />
        </IconButton>
      </div>
      <RangeField
        label="Position in the run"
        labelHidden
        className="min-w-40 flex-1"
        value={Math.round(ms)}
        min={0}
        max={Math.max(1, Math.round(endMs))}
        step={Math.max(1, Math.round(endMs / 200))}
        format={formatDuration}
        onNumberChange={goTo}
      />
      <span className="text-small text-muted-foreground tabular-nums">
        {formatDuration(ms)} of {formatDuration(endMs)}
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
