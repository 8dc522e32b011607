import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { useStoredFlag } from '#web/offline/use-stored-setting.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { getReadingPath } from './journal-context.ts'
import { useEarlierReflection } from './journal-queries.ts'
import { toPlainExcerpt } from './plain-excerpt.ts'

const writingPrompts = [
  'What did you almost say today, and to whom?',
  'What would you like to remember of this day in ten years?',
  'Which small thing did someone do that they will have forgotten by now?',
  'What has changed so slowly that you noticed only today?',
  'What are you waiting for?',
  'Which room were you happiest in this week?',
  'What did you learn from someone who was not teaching?',
  'What do you keep putting off, and what does it protect you from?',
  'Whose voice do you hear when you are hard on yourself?',
  'What would you like someone to take with them that is not an object?',
  'What did your hands do today?',
  'Which question would you rather not be asked?',
  'What did you see on the way that you have seen a hundred times?',
  'Where did you change your mind?',
  'What is easier than it was a year ago?',
  'Who were you with when you were most yourself?',
  'What did you let go of without noticing?',
  'What would the day look like, told by someone who likes you?',
  'What smells belong to the place you live in now?',
  'What do you owe no one an answer for?',
] as const

/** Deterministic per day, so that the first prompt doesn't change while someone is thinking. */
function getPrompt(day: Date, step: number): string {
  const dayNumber = (day.getFullYear() * 12 + day.getMonth()) * 31 + day.getDate()
  return writingPrompts[(dayNumber + step) % writingPrompts.length] ?? writingPrompts[0]
}

interface JournalMarginProps {
  topic: string
  excludedId?: string
  /** Advances the prompt, for the next reflection. */
  promptOffset?: number
}

/** The margin: an earlier reflection on this topic, and a writing prompt. */
export function JournalMargin({ topic, excludedId, promptOffset = 0 }: JournalMarginProps) {
  const [isHidden, setHidden] = useStoredFlag('keeper-journal-prompts-hidden')
  const [promptStep, setPromptStep] = useState(0)
  const earlierReflection = useEarlierReflection(topic, excludedId)
  return (
    <aside
      data-chrome
      aria-label="Writing prompts"
      className="flex flex-col gap-[26px] self-start pt-[30px] desk:sticky desk:top-[calc(var(--header-height)+4rem)] phone:px-1.5 phone:pt-6"
    >
      {earlierReflection && <EarlierReflectionNote reflection={earlierReflection} />}
      {isHidden ? (
        <button type="button" onClick={() => setHidden(false)} className={`self-start ${quietLinkClasses}`}>
          Show prompts
        </button>
      ) : (
        <MarginNote title="If you’re stuck" text={getPrompt(new Date(), promptOffset + promptStep)}>
          <button type="button" onClick={() => setPromptStep(promptStep + 1)} className={quietLinkClasses}>
            Another
          </button>
          <button type="button" onClick={() => setHidden(true)} className={quietLinkClasses}>
            Hide prompts
          </button>
        </MarginNote>
      )}
      <p className="text-small text-muted-foreground">
        Reflections rest for a day before your keeper suggests keeping them.
      </p>
    </aside>
  )
}

function EarlierReflectionNote({ reflection }: { reflection: Reflection }) {
  const writtenAt = new Date(reflection.createdAt)
  const isThisYear = writtenAt.getFullYear() === new Date().getFullYear()
  return (
    <MarginNote
      title="From your keeper"
      text={`You wrote about ${reflection.topic ?? 'this'} on ${formatTime(writtenAt, isThisYear ? 'day' : 'date')}: “${toPlainExcerpt(reflection.content, 140)}”`}
    >
      <Link to={getReadingPath(reflection.id)} className={quietLinkClasses}>
        Open that reflection
      </Link>
    </MarginNote>
  )
}

function MarginNote({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="border-s-2 border-ribbon ps-3.5">
      <h2 dir="auto" className="font-sans text-small font-semibold tracking-normal">
        {title}
      </h2>
      <p aria-live="polite" className="my-1.5 font-serif text-lead wrap-break-word italic">
        {text}
      </p>
      <div className="flex gap-3">{children}</div>
    </div>
  )
}
