import { useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { dayWords, today } from './day-words.ts'
import { MomentCard } from './moment-card.tsx'
import { useOnThisDay } from './moment-queries.ts'

const hiddenKey = 'keeper-on-this-day-hidden'
const linkClasses =
  'rounded-xs text-small font-label underline decoration-border decoration-[1.5px] underline-offset-[3px] hover:decoration-foreground'

/** What was lived on this day in earlier years, oldest first. It can be put away. */
export function OnThisDay({ keeper, onTopic }: { keeper: Keeper; onTopic: (name: string) => void }) {
  const [hidden, setHidden] = useState(() => localStorage.getItem(hiddenKey) === 'yes')
  const day = today()
  const { data } = useOnThisDay(keeper, day, !hidden)
  function hide(yes: boolean) {
    if (yes) localStorage.setItem(hiddenKey, 'yes')
    else localStorage.removeItem(hiddenKey)
    setHidden(yes)
  }
  if (hidden)
    return (
      <p data-chrome className="mb-5">
        <button type="button" onClick={() => hide(false)} className={linkClasses}>
          Show On this day
        </button>
      </p>
    )
  if (!data || data.length === 0) return null
  return (
    <section
      aria-label="On this day"
      className="mb-6 rounded-[3px_12px_12px_3px] border border-border bg-paper px-5 pt-4 pb-1 shadow-e2 phone:px-3.5"
    >
      <div className="mb-3 flex items-center gap-3">
        <h2 className="font-sans text-ui font-semibold tracking-normal">On this day</h2>
        <button data-chrome type="button" onClick={() => hide(true)} className={`ms-auto ${linkClasses}`}>
          Hide
        </button>
      </div>
      {data.map((moment) => (
        <MomentCard
          key={moment.id}
          keeper={keeper}
          moment={moment}
          onTopic={onTopic}
          margin={
            <time dateTime={moment.localDate} title={dayWords(moment.localDate)}>
              {moment.localDate.slice(0, 4)}
            </time>
          }
        />
      ))}
    </section>
  )
}
