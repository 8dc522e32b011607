import { useMemo } from 'react'
import { getDiffSegments } from '#web/ui/text/compare-texts.ts'

interface DifferingTextProps {
  text: string
  other: string
  kind: 'added' | 'removed'
}

export function DifferingText({ text, other, kind }: DifferingTextProps) {
  const segments = useMemo(() => getDiffSegments(text, other), [text, other])
  if (text === '') return <p className="text-ui text-muted-foreground">Nothing.</p>
  return (
    <p className="font-serif text-read whitespace-pre-wrap wrap-break-word">
      {segments.map(({ text: segmentText, isUnique }, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: chunks are identified by index
        if (!isUnique) return <span key={index}>{segmentText}</span>
        const Mark = kind === 'added' ? 'ins' : 'del'
        return (
          <Mark
            // biome-ignore lint/suspicious/noArrayIndexKey: segments are identified by index
            key={index}
            className={
              kind === 'added'
                ? 'rounded-xs bg-success-soft underline decoration-success decoration-2 underline-offset-[3px]'
                : 'rounded-xs bg-warning-soft no-underline decoration-dotted outline outline-1 outline-warning'
            }
          >
            {segmentText}
          </Mark>
        )
      })}
    </p>
  )
}
