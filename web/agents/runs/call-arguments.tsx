import { CodeBlock } from '#web/ui/text/code-block.tsx'
import { CollapsibleText } from './collapsible-text.tsx'
import { showInvisibleDeep } from './show-invisible.ts'

export function CallArguments({ value: rawValue }: { value: unknown }) {
  if (rawValue === null || rawValue === undefined) return null
  const value = showInvisibleDeep(rawValue)
  const entries = typeof value === 'object' && value && !Array.isArray(value) ? Object.entries(value) : undefined
  if (!entries) return <CodeBlock label="Arguments" value={value} shouldWrap />
  if (entries.length === 0) return <p className="text-muted-foreground">Called without arguments.</p>
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
      {entries.map(([name, argument]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-[12px] leading-[18px] text-muted-foreground">{name}</dt>
          <dd className="min-w-0">
            {typeof argument === 'object' && argument !== null ? (
              <CodeBlock label={name} value={argument} shouldWrap copyable={false} />
            ) : (
              <CollapsibleText text={String(argument)} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
