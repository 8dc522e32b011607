import { type ReactNode, useMemo } from 'react'
import { compareTexts } from '#web/ui/text/compare-texts.ts'
import { DiffParts } from '../versions/word-diff.tsx'
import { hiddenText } from './run-texts.ts'

interface AnswerDiffProps {
  firstAnswer: string | undefined
  secondAnswer: string | undefined
}

export default function AnswerDiff({ firstAnswer, secondAnswer }: AnswerDiffProps) {
  const parts = useMemo(() => {
    if (firstAnswer === undefined || secondAnswer === undefined) return []
    return compareTexts(firstAnswer, secondAnswer)
  }, [firstAnswer, secondAnswer])
  return (
    <>
      <div className="grid grid-cols-2 border-t border-hairline font-serif text-[1rem] leading-6 phone:grid-cols-1">
        <AnswerColumn label="Answer from the first run" text={firstAnswer}>
          <DiffParts parts={parts} hides="added" />
        </AnswerColumn>
        <AnswerColumn
          label="Answer from the second run"
          text={secondAnswer}
          className="border-s border-hairline phone:border-s-0 phone:border-t"
        >
          <DiffParts parts={parts} hides="removed" />
        </AnswerColumn>
      </div>
      {firstAnswer === secondAnswer && firstAnswer && (
        <p className="border-t border-hairline px-[18px] py-2 text-small text-muted-foreground">
          Both runs gave the same answer.
        </p>
      )}
    </>
  )
}

interface AnswerColumnProps {
  label: string
  text: string | undefined
  className?: string
  children: ReactNode
}

function AnswerColumn({ label, text, className = '', children }: AnswerColumnProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling must work by keyboard
      tabIndex={0}
      className={`max-h-[32rem] overflow-y-auto px-[18px] py-3 wrap-anywhere whitespace-pre-wrap focus-visible:-outline-offset-2 ${className}`}
    >
      {text ? (
        children
      ) : (
        <span className="font-sans text-ui text-muted-foreground">
          {text === undefined ? hiddenText : 'No answer.'}
        </span>
      )}
    </section>
  )
}
