import { useDeferredValue, useState } from 'react'
import type { Waypoint } from '#contract/keepers/journeys.ts'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'
import { getOlderMomentsHint, useAttachableMoments } from './journey-queries.ts'
import { formatMomentName } from './river-line.tsx'

interface MomentPickerProps {
  keeper: Keeper
  waypoint: Waypoint
  onAttachedChange: (momentId: string, isAttached: boolean) => Promise<void>
  onClose: () => void
}

/** Attaches moments to a waypoint or detaches them; each change is saved immediately. */
export function MomentPicker({ keeper, waypoint, onAttachedChange, onClose }: MomentPickerProps) {
  const [search, setSearch] = useState('')
  const q = useDeferredValue(search.trim())
  const { data, error, refetch, isRefetching } = useAttachableMoments(keeper, q)
  const olderMomentsHint = getOlderMomentsHint(data?.length, q)
  const [savingId, setSavingId] = useState<string>()

  async function setMomentAttached(momentId: string, isAttached: boolean) {
    setSavingId(momentId)
    await onAttachedChange(momentId, isAttached).finally(() => setSavingId(undefined))
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Moments at ${waypoint.title}`}
      description="Select the moments that belong to this waypoint."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <SearchField
        label="Search moments"
        maxLength={maxSearchLength}
        value={search}
        onValueChange={setSearch}
        className="mb-3"
      />
      {error && !data && (
        <ErrorPanel reason={error} title={error.message} onRetry={() => refetch()} retrying={isRefetching} />
      )}
      {!data && !error && (
        <SkeletonGroup>
          <Skeleton className="h-40" />
        </SkeletonGroup>
      )}
      {data?.length === 0 && (
        <p className="py-6 text-center text-muted-foreground">
          {q === '' ? 'No moments in this keeper yet.' : 'No moments match.'}
        </p>
      )}
      <ul className="flex flex-col">
        {data?.map((moment) => (
          <li key={moment.id} className="border-b border-hairline py-2 last:border-0">
            <Checkbox
              checked={waypoint.momentIds.includes(moment.id)}
              disabled={savingId !== undefined}
              onCheckedChange={(isAttached) => void setMomentAttached(moment.id, isAttached)}
              label={formatMomentName({ ...moment, excerpt: toPlainExcerpt(moment.body) })}
            />
          </li>
        ))}
      </ul>
      {olderMomentsHint && <p className="pt-3 text-small text-muted-foreground">{olderMomentsHint}</p>}
    </Dialog>
  )
}
