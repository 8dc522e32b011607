import type { ReactNode } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { builtInThemes } from '#web/theme/theme-colours.ts'
import { Time } from '#web/ui/time.tsx'
import { patternLabel } from '../keeper-labels.ts'
import { typeNameOf } from '../shelf/shelf-rules.ts'

export function KeeperFacts({ keeper }: { keeper: Keeper }) {
  return (
    <dl className="grid grid-cols-3 gap-x-8 gap-y-5 phone:grid-cols-2">
      <Fact label="Title" wide>
        {keeper.title}
      </Fact>
      <Fact label="Purpose" wide>
        <span className="whitespace-pre-line">{keeper.purpose}</span>
      </Fact>
      <Fact label="Keeper type">{typeNameOf(keeper)}</Fact>
      <Fact label="Memory pattern">{patternLabel(keeper.memoryPattern)}</Fact>
      <Fact label="Theme">{builtInThemes.find(({ slug }) => slug === keeper.theme)?.name ?? keeper.theme}</Fact>
      <Fact label="Owner">{keeper.owner.name ?? 'You'}</Fact>
      <Fact label="Created">
        <Time value={keeper.createdAt} />
      </Fact>
      <Fact label="Last updated">
        <Time value={keeper.updatedAt} />
      </Fact>
      <Fact label="Journeys">{keeper._count.Journey.toLocaleString('en-US')}</Fact>
      <Fact label="Paths">{keeper._count.Path.toLocaleString('en-US')}</Fact>
    </dl>
  )
}

function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-3 min-w-0 phone:col-span-2' : 'min-w-0'}>
      <dt className="text-small text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 wrap-break-word tabular-nums">{children}</dd>
    </div>
  )
}
