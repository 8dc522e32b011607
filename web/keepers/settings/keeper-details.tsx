import type { ReactNode } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { builtInThemes } from '#web/themes/base/theme-colors.ts'
import { Time } from '#web/ui/text/time.tsx'
import { getPatternLabel } from '../keeper-labels.ts'
import { getTypeName } from '../shelf/keeper-list-rules.ts'

export function KeeperDetails({ keeper }: { keeper: Keeper }) {
  return (
    <dl className="grid grid-cols-3 gap-x-8 gap-y-5 phone:grid-cols-2">
      <KeeperDetail label="Title" wide>
        {keeper.title}
      </KeeperDetail>
      <KeeperDetail label="Purpose" wide>
        <span className="whitespace-pre-line">{keeper.purpose}</span>
      </KeeperDetail>
      <KeeperDetail label="Keeper type">{getTypeName(keeper)}</KeeperDetail>
      <KeeperDetail label="Memory pattern">{getPatternLabel(keeper.memoryPattern)}</KeeperDetail>
      <KeeperDetail label="Theme">
        {builtInThemes.find(({ slug }) => slug === keeper.theme)?.name ?? keeper.theme}
      </KeeperDetail>
      <KeeperDetail label="Owner">{keeper.owner.name ?? 'You'}</KeeperDetail>
      <KeeperDetail label="Created">
        <Time value={keeper.createdAt} />
      </KeeperDetail>
      <KeeperDetail label="Last updated">
        <Time value={keeper.updatedAt} />
      </KeeperDetail>
      <KeeperDetail label="Journeys">{keeper._count.Journey.toLocaleString('en-US')}</KeeperDetail>
      <KeeperDetail label="Paths">{keeper._count.Path.toLocaleString('en-US')}</KeeperDetail>
    </dl>
  )
}

function KeeperDetail({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-3 min-w-0 phone:col-span-2' : 'min-w-0'}>
      <dt className="text-small text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 wrap-break-word tabular-nums">{children}</dd>
    </div>
  )
}
