import { CodeBlock } from '#web/ui/code-block.tsx'
import { FoldedText } from './folded-text.tsx'

/** What a tool was called with: a list of names and values where that can be said, else JSON. */
export function CallArguments({ value }: { value: unknown }) {
  if (value === null || value === undefined) return null
  const entries = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : undefined
  if (!entries) return <CodeBlock label="Arguments" value={value} wraps />
  if (entries.length === 0) return <p className="text-muted-foreground">Called without arguments.</p>
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
      {entries.map(([name, given]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-[12px] leading-[18px] text-muted-foreground">{name}</dt>
          <dd className="min-w-0">
            {typeof given === 'object' && given !== null ? (
              <CodeBlock label={name} value={given} wraps copyable={false} />
            ) : (
              <FoldedText text={String(given)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
