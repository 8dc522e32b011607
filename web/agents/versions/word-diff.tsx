import { useMemo } from 'react'
import { compareTexts } from '#web/ui/text/compare-texts.ts'

/** A text with marked insertions and deletions. In its own file so that the diff library loads on demand. */
export default function WordDiff({ previousText, nextText }: { previousText: string; nextText: string }) {
  const parts = useMemo(() => compareTexts(previousText, nextText), [previousText, nextText])
  return (
    <p className="whitespace-pre-wrap">
      <DiffParts parts={parts} />
    </p>
  )
}

interface DiffPartsProps {
  parts: ReturnType<typeof compareTexts>
  /** For one side of a comparison: `added` shows only the previous text, `removed` only the next. */
  hides?: 'added' | 'removed'
}

export function DiffParts({ parts, hides }: DiffPartsProps) {
  return parts.map((part, index) => {
    if (hides && part[hides]) return null
    const Tag = getTagName(part)
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a diff never move
      <Tag key={index} className={tagClassNames[Tag]}>
        {part.value}
      </Tag>
    )
  })
}

function getTagName({ added, removed }: DiffPartsProps['parts'][number]): keyof typeof tagClassNames {
  if (added) return 'ins'
  return removed ? 'del' : 'span'
}

const tagClassNames = {
  span: undefined,
  ins: 'rounded-xs bg-success-soft text-success underline decoration-1 underline-offset-2',
  del: 'rounded-xs bg-destructive-soft text-destructive line-through decoration-1',
}
