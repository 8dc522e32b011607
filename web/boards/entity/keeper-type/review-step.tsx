import type { ReactNode } from 'react'
import type { KeeperType } from '#contract/keepers/keeper-types.ts'
import { getPatternLabel } from '#web/keepers/keeper-labels.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { useBoard } from '../../document/use-board-editor.tsx'
import { getTypeDraftChanges, isUnchanged } from './type-draft.ts'
import type { StepProps } from './type-wizard.tsx'

interface ReviewStepProps extends StepProps {
  type: KeeperType
}

export function ReviewStep({ draft, readOnly, type }: ReviewStepProps) {
  const { values, linked, unlinked, reordered, assigned, unassigned } = getTypeDraftChanges(draft)
  const frames = useBoard(({ document }) => document.frames.length)
  const boardChanged = useBoard(({ dirty }) => dirty)
  const { name, description, memoryPattern } = draft.values
  const hasNoChanges = isUnchanged(draft) && !boardChanged
  return (
    <>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2.5 text-ui">
        <ReviewLine label="Name" changed={'name' in values}>
          {name}
        </ReviewLine>
        <ReviewLine label="Purpose" changed={'description' in values}>
          {description || '–'}
        </ReviewLine>
        <ReviewLine label="Memory pattern" changed={'memoryPattern' in values}>
          {getPatternLabel(memoryPattern)}
        </ReviewLine>
        <ReviewLine label="Engagement templates" changed={reordered || linked.length + unlinked.length > 0}>
          {pluralize(draft.templateIds.length, 'template')}
          {formatChanges(linked.length, unlinked.length, reordered)}
        </ReviewLine>
        <ReviewLine label="Default agent" changed={assigned.length + unassigned.length > 0}>
          {pluralize(draft.agentIds.length, 'agent')}
          {formatChanges(assigned.length, unassigned.length, false)}
        </ReviewLine>
        <ReviewLine label="Frames" changed={boardChanged}>
          {pluralize(frames, 'frame')}
        </ReviewLine>
        <ReviewLine label="Keepers using this type" changed={false}>
          {pluralize(type._count.Keeper, 'keeper')}
        </ReviewLine>
      </dl>
      {!readOnly && (
        <p className="mt-5 text-ui text-muted-foreground">
          {hasNoChanges
            ? 'No unpublished changes.'
            : 'Changes marked with a dot aren’t published yet. Publishing applies them to every keeper of this type.'}
        </p>
      )}
    </>
  )
}

function formatChanges(added: number, removed: number, reordered: boolean): string {
  const parts = [added > 0 && `${added} new`, removed > 0 && `${removed} removed`, reordered && 'reordered']
  const text = parts.filter((word) => word !== false).join(', ')
  return text && ` (${text})`
}

function ReviewLine({ label, changed, children }: { label: string; changed: boolean; children: ReactNode }) {
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
