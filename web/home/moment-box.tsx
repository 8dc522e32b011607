import type { Keeper } from '#contract/keepers/keepers.ts'
import { FirstMoment, useFirstMomentDraft } from '#web/first-steps/first-moment.tsx'
import type { SavedMoment } from '#web/first-steps/saved-moment.tsx'
import { MomentComposer } from '#web/keepers/moments/moment-composer.tsx'
import { defaultMomentQuestion } from '#web/keepers/moments/moment-form.tsx'
import { momentBoxId } from './focus-moment-box.ts'
import { rememberKeeper } from './use-chosen-keeper.ts'

/** Reserves the height of the focused box, so that the page below stays in place. */
const boxClasses = 'mb-6 max-w-[788px] desk:min-h-[132px] phone:min-h-[88px]'

interface MomentBoxProps {
  /** `undefined` if the list couldn't be loaded. */
  keepers: readonly Keeper[] | undefined
  keeper: Keeper | undefined
  onRetry: () => unknown
  onSaved: (saved: SavedMoment) => void
}

export function MomentBox({ keepers, keeper, onRetry, onSaved }: MomentBoxProps) {
  const firstMoment = useFirstMomentDraft()
  // Text started before there was a keeper stays visible until it is saved.
  const isFirst = !keeper || firstMoment.draft.value.moment.body.trim() !== ''
  return (
    <div id={momentBoxId} className={boxClasses}>
      {isFirst ? (
        <FirstMoment
          {...firstMoment}
          keeper={keeper}
          isUnavailable={keepers === undefined}
          onRetry={onRetry}
          onSaved={onSaved}
        />
      ) : (
        <MomentComposer
          key={keeper.id}
          keeper={keeper}
          onSaved={(moment) => {
            rememberKeeper(keeper.id)
            onSaved({
              id: moment?.id ?? '',
              body: moment?.body ?? '',
              keeperId: keeper.id,
              keeperTitle: keeper.title,
              state: moment ? 'sent' : 'queued',
              isFirst: false,
            })
          }}
        />
      )}
    </div>
  )
}

export function MomentBoxSkeleton() {
  return (
    <div className={boxClasses}>
      <p className="h-[132px] rounded-[3px_12px_12px_3px] border border-border bg-paper px-6 py-5 font-serif text-read text-muted-foreground italic shadow-e2 phone:h-[88px] phone:px-4 phone:py-4">
        {defaultMomentQuestion}
      </p>
    </div>
  )
}
