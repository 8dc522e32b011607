import { Seal } from '#web/ui/drawings/seal.tsx'

const steps = [
  { name: 'Read two memory cards', from: 0, width: 18, time: '120 ms' },
  { name: 'Ask the model', from: 18, width: 74, time: '1.42 s' },
]

export function SampleRun({ name }: { name: string }) {
  return (
    <div className="flex flex-col gap-2.5 px-3.5 py-3">
      <div className="flex items-center gap-2.5">
        <Seal name={name} kind="Standard" size={28} className="shrink-0" />
        <p className="truncate font-serif text-[16px] leading-5 font-medium">{name}</p>
      </div>
      <p className="font-serif text-[16px] leading-[23px]">Two things are open: the letter to Ida, and the lamp.</p>
      <ol className="border-t border-hairline pt-2">
        {steps.map((step) => (
          <li key={step.name} className="grid grid-cols-[minmax(0,1fr)_64px_60px] items-center gap-2 py-1 text-small">
            <span className="truncate">{step.name}</span>
            <span aria-hidden className="relative h-2 rounded-xs bg-muted">
              <span
                className="absolute inset-y-0 rounded-xs bg-chart1"
                style={{ left: `${step.from}%`, width: `${step.width}%` }}
              />
            </span>
            <span className="text-end text-muted-foreground tabular-nums">{step.time}</span>
          </li>
        ))}
      </ol>
      <p className="text-small text-muted-foreground">This is a sample. Nothing is run.</p>
    </div>
  )
}
