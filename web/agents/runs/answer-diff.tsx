import { type ReactNode, useMemo } from 'react'
import { compareTexts } from '#web/ui/text/compare-texts.ts'

export interface AnswerDiffProps {
  firstAnswer: string | undefined
  secondAnswer: string | undefined
}

export default function AnswerDiff({ firstAnswer, secondAnswer }: AnswerDiffProps) {
  const parts = useMemo(() => {
    if (firstAnswer === undefined || secondAnswer === undefined) return []
    return compareTexts(firstAnswer, secondAnswer)
  }, [firstAnswer, secondAnswer])
  const isSame = firstAnswer === secondAnswer
  return (
    <>
      <div className="grid grid-cols-2 border-t border-hairline font-serif text-[16px] leading-6 phone:grid-cols-1">
        <AnswerColumn label="Answer from the first run" text={firstAnswer} emptyText="No answer.">
          {parts.map(
            (part, index) =>
              !part.added && (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and never move
                <DiffPart key={index} Tag={part.removed ? 'del' : 'span'} text={part.value} />
              ),
          )}
        </AnswerColumn>
        <AnswerColumn
          label="Answer from the second run"
          text={secondAnswer}
          emptyText="No answer."
          className="border-s border-hairline phone:border-s-0 phone:border-t"
        >
          {parts.map(
            (part, index) =>
              !part.removed && (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and never move
                <DiffPart key={index} Tag={part.added ? 'ins' : 'span'} text={part.value} />
              ),
          )}
        </AnswerColumn>
      </div>
      {isSame && firstAnswer && (
        <p className="border-t border-hairline px-[18px] py-2 text-small text-muted-foreground">
          Both runs gave the same answer.
        </p>
      )}
    </>
  )
}

const partClasses = {
  span: undefined,
  del: 'rounded-xs bg-destructive-soft text-destructive line-through decoration-1',
  ins: 'rounded-xs bg-success-soft text-success underline decoration-1 underline-offset-3',
}

function DiffPart({ Tag, text }: { Tag: 'span' | 'del' | 'ins'; text: string }) {
  return <Tag className={partClasses[Tag]}>{text}</Tag>
}

interface AnswerColumnProps {
  label: string
  text: string | undefined
  emptyText: string
  className?: string
  children: ReactNode
}

function AnswerColumn({ label, text, emptyText, className = '', children }: AnswerColumnProps) {
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
          {text === undefined ? 'Visible only to the person who started this run.' : emptyText}
        </span>
      )}
    </section>
  )
}
