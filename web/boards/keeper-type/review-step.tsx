import type { ReactNode } from 'react'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { patternLabel } from '#web/keepers/keeper-labels.ts'
import { counted } from '#web/ui/counted.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { changesOf, isUnchanged } from './type-draft.ts'
import type { StepProps } from './type-wizard.tsx'

interface ReviewStepProps extends StepProps {
  type: KeeperType
}

/** Shows the draft and marks unpublished parts. */
export function ReviewStep({ draft, readOnly, type }: ReviewStepProps) {
  const { values, linked, unlinked, reordered, assigned, unassigned } = changesOf(draft)
  const frames = useBoard(({ document }) => document.frames.length)
  const boardChanged = useBoard(({ dirty }) => dirty)
  const { name, description, memoryPattern } = draft.values
  const nothing = isUnchanged(draft) && !boardChanged
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5 text-ui">
        <Line label="Name" changed={'name' in values}>
          {name}
        </Line>
        <Line label="Purpose" changed={'description' in values}>
          {description || '–'}
        </Line>
        <Line label="Memory pattern" changed={'memoryPattern' in values}>
          {patternLabel(memoryPattern)}
        </Line>
        <Line label="Engagement templates" changed={reordered || linked.length + unlinked.length > 0}>
          {counted(draft.templateIds.length, 'template')}
          {changeWords(linked.length, unlinked.length, reordered)}
        </Line>
        <Line label="Default agent" changed={assigned.length + unassigned.length > 0}>
          {counted(draft.agentIds.length, 'agent')}
          {changeWords(assigned.length, unassigned.length, false)}
        </Line>
        <Line label="Frames" changed={boardChanged}>
          {counted(frames, 'frame')}
        </Line>
        <Line label="Keepers using this type" changed={false}>
          {counted(type._count.Keeper, 'keeper')}
        </Line>
      </dl>
      {!readOnly && (
        <p className="mt-5 text-ui text-muted-foreground">
          {nothing
            ? 'No unpublished changes.'
            : 'Marked changes aren’t published yet. Publishing applies them to every keeper of this type.'}
        </p>
      )}
    </>
  )
}

function changeWords(more: number, fewer: number, reordered: boolean): string {
  const words = [more > 0 && `${more} new`, fewer > 0 && `${fewer} removed`, reordered && 'reordered']
  const told = words.filter((word) => word !== false).join(', ')
  return told && ` (${told})`
}

function Line({ label, changed, children }: { label: string; changed: boolean; children: ReactNode }) {
  return (
    <div className="col-span-full grid grid-cols-subgrid phone:grid-cols-1">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="flex min-w-0 items-baseline gap-2 wrap-break-word">
        <span className="min-w-0 wrap-break-word">{children}</span>
        {changed && (
          <span title="Not published yet" className="size-2 shrink-0 rounded-full bg-ribbon">
            <span className="sr-only">Not published yet</span>
          </span>
        )}
      </dd>
    </div>
  )
}
