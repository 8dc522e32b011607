import { CodeBlock } from '#web/ui/text/code-block.tsx'
import { CollapsibleText } from './collapsible-text.tsx'

// Single joiners and emoji selectors are ordinary; runs of them can hide a message.
const invisiblePattern = /[\p{Cc}\p{Cf}\p{Variation_Selector}\u3164\u115F\u1160\uFFA0]+/gu
const ordinaryPattern = /^(?:[\n\t]|\r\n|\uFE0F?[\u200C\u200D]?|\u00AD)*$/u
const isOrdinary = (characters: string) =>
  ordinaryPattern.test(characters) && characters.replace(/[\r\n\t]/g, '').length <= 2

/** Writes out invisible characters, such as `[U+E0041]`, so that all text to be sent is visible. */
export function showInvisible(text: string): string {
  return text.replace(invisiblePattern, (characters) => {
    if (isOrdinary(characters)) return characters
    return Array.from(characters, (character) =>
      /[\n\t]/.test(character) ? character : formatCodePoint(character),
    ).join('')
  })
}

function formatCodePoint(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
}

export function showInvisibleDeep(value: unknown): unknown {
  if (typeof value === 'string') return showInvisible(value)
  if (Array.isArray(value)) return value.map(showInvisibleDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, nested]) => [showInvisible(name), showInvisibleDeep(nested)]),
  )
}

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
