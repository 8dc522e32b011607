import { Play } from 'lucide-react'
import { useState } from 'react'
import { animationSeconds, type BoardAnimation } from '#contract/boards/boards.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { animationNames, describeAnimation } from './layout-labels.ts'
import { getEnterAnimation } from './preview-context.ts'

const options = (Object.keys(animationSeconds) as BoardAnimation[]).map((value) => ({
  value,
  label: animationNames[value],
}))

interface AnimationChoiceProps {
  value: BoardAnimation
  onChange: (value: BoardAnimation) => void
  readOnly: boolean
}

export function AnimationChoice({ value, onChange, readOnly }: AnimationChoiceProps) {
  const [playCount, setPlayCount] = useState(0)
  return (
    <section aria-labelledby="board-animation">
      <h3 id="board-animation">Animation</h3>
      <SegmentedControl
        label="Animation"
        options={options.map((option) => ({ ...option, disabled: readOnly }))}
        value={value}
        onValueChange={onChange}
        className="mt-2"
      />
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <div
          key={`${value} ${playCount}`}
          aria-hidden
          className="grid h-[72px] w-52 grid-cols-3 gap-2 rounded-md border border-border bg-muted p-2"
        >
          {[1, 2, 3].map((box) => (
            <div key={box} {...getEnterAnimation(value)}>
              <div className="h-full rounded-sm border border-input bg-card shadow-e1" />
            </div>
          ))}
        </div>
        <div>
          <p className="text-ui text-muted-foreground">{describeAnimation(value)}</p>
          {value !== 'none' && (
            <Button
              size="small"
              className="mt-1.5"
              icon={<Play aria-hidden size={13} />}
              onClick={() => setPlayCount(playCount + 1)}
            >
              Preview{' '}
            </Button>
          )}
        </div>
      </div>
      <p className="mt-2 text-small text-muted-foreground">Animations are off for people who prefer reduced motion.</p>
    </section>
  )
}
