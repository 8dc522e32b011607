import type { Keeper } from '#contract/keepers/keepers.ts'
import { getChangedStatements } from '#contract/keepers/sole-statements.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { Time } from '#web/ui/text/time.tsx'

const maxVisibleChanges = 2

/** The pending draft, for the dashboard. Renders nothing without one. */
export function PendingSoleCard({ keeper }: { keeper: Pick<Keeper, 'id' | 'soleDraft' | 'soleSubmittedAt'> }) {
  const { soleDraft: draft, soleSubmittedAt } = keeper
  if (!draft) return null
  const changes = getChangedStatements(draft.statements)
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="text-[1.0625rem]">Pending SOLE Draft</h2>
        <Badge tone="warning" dot>
          Awaiting Review
        </Badge>
      </div>
      <ul className="mt-1.5 font-serif text-[1rem] leading-6 wrap-break-word">
        {changes.slice(0, maxVisibleChanges).map(({ id, kind, text }) => (
          <li key={id} className="line-clamp-2">
            {kind === 'drop' ? (
              <del dir="auto" className="text-muted-foreground">
                {text}
              </del>
            ) : (
              text
            )}
          </li>
        ))}
      </ul>
      <p className="mt-1 text-small text-muted-foreground">
        {pluralize(changes.length, 'change')} by {draft.author}
        {soleSubmittedAt && (
          <>
            , <Time value={soleSubmittedAt} timeStyle="date-time" />
          </>
        )}
      </p>
      <LinkButton to={`/keeper/${encodeURIComponent(keeper.id)}/memory`} size="small" className="mt-3">
        Review the draft
      </LinkButton>
    </Card>
  )
}
