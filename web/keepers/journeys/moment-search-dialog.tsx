import { type ReactNode, useDeferredValue, useState } from 'react'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { getOlderMomentsHint, useAttachableMoments } from './journey-queries.ts'

interface MomentSearchDialogProps {
  keeper: Keeper
  title: ReactNode
  description?: string
  footer?: ReactNode
  onClose: () => void
  /** A list item. */
  renderMoment: (moment: Moment) => ReactNode
}

/** The latest moments of a keeper, or those that match a search. */
export function MomentSearchDialog({ keeper, onClose, renderMoment, ...dialog }: MomentSearchDialogProps) {
  const [searchText, setSearchText] = useState('')
  const q = useDeferredValue(searchText.trim())
  const query = useAttachableMoments(keeper, q)
  const { data: moments } = query
  const olderMomentsHint = getOlderMomentsHint(moments?.length, q)
  return (
    <Dialog {...dialog} open onOpenChange={(open) => !open && onClose()}>
      <SearchField
        label="Search moments"
        maxLength={maxSearchLength}
        value={searchText}
        onValueChange={setSearchText}
        className="mb-3"
      />
      <QueryStatus query={query} skeletonClassName="h-40">
        {null}
      </QueryStatus>
      {moments?.length === 0 && (
        <p className="py-6 text-center text-muted-foreground">
          {q === '' ? 'No moments in this keeper yet.' : 'No moments match.'}
        </p>
      )}
      <ul aria-label="Moments">{moments?.map(renderMoment)}</ul>
      {olderMomentsHint && <p className="pt-3 text-small text-muted-foreground">{olderMomentsHint}</p>}
    </Dialog>
  )
}
