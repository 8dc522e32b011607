import { Link2, X } from 'lucide-react'
import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { isNotFound } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { MomentSearchDialog } from '../journeys/moment-search-dialog.tsx'
import { useMoment } from '../moments/moment-queries.ts'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'

interface MomentFieldProps {
  keeper: Keeper
  momentId: string | null
  onMomentChange: (id: string | null) => void
  error: string | undefined
}

const formatMomentOption = ({ localDate, title, body }: Moment) =>
  `${formatTime(`${localDate}T12:00:00`)}: ${title || toPlainExcerpt(body, 80) || 'A moment without text'}`

export function MomentField({ keeper, momentId, onMomentChange, error }: MomentFieldProps) {
  const [isChoosing, setChoosing] = useState(false)
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-ui font-label">Moment</legend>
      <div className="flex flex-wrap items-center gap-2">
        {momentId && (
          <>
            <ChosenMoment keeper={keeper} id={momentId} />
            <IconButton size="small" label="Remove the moment" onClick={() => onMomentChange(null)}>
              <X aria-hidden size={14} />
            </IconButton>
          </>
        )}
        <Button size="small" icon={<Link2 aria-hidden size={14} />} onClick={() => setChoosing(true)}>
          {momentId ? 'Choose another' : 'Choose a moment'}
        </Button>
      </div>
      {error && (
        <p role="alert" className="mt-1 text-small text-destructive">
          {error}
        </p>
      )}
      {isChoosing && (
        <MomentSearchDialog
          keeper={keeper}
          title="Choose a moment"
          onClose={() => setChoosing(false)}
          renderMoment={(moment) => (
            <li key={moment.id} className="border-b border-hairline last:border-0">
              <button
                type="button"
                onClick={() => {
                  onMomentChange(moment.id)
                  setChoosing(false)
                }}
                className="min-h-11 w-full rounded-xs px-1 py-2 text-start text-ui wrap-anywhere hover:bg-muted"
              >
                {formatMomentOption(moment)}
              </button>
            </li>
          )}
        />
      )}
    </fieldset>
  )
}

function ChosenMoment({ keeper, id }: { keeper: Keeper; id: string }) {
  const { data: moment, error } = useMoment(keeper, id)
  if (!moment && !error) return <Skeleton className="h-5 w-48" />
  const missingText = isNotFound(error) ? 'A deleted moment' : 'A moment that couldn’t be loaded'
  return <span className="min-w-0 text-ui wrap-anywhere">{moment ? formatMomentOption(moment) : missingText}</span>
}
