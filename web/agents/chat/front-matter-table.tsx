import { useMemo } from 'react'
import { parse, stringify } from 'yaml'

export default function FrontMatterTable({ source }: { source: string }) {
  const rows = useMemo(() => readRows(source), [source])
  if (!rows) return <p className="font-sans text-ui wrap-anywhere whitespace-pre-wrap">{source.trim()}</p>
  return (
    <table aria-label="Properties" className="border-collapse self-start font-sans text-ui">
      <tbody>
        {rows.map(([key, value]) => (
          <tr key={key}>
            <th scope="row" className="border-b border-hairline py-1 pe-4 text-start align-top font-label">
              <bdi>{key}</bdi>
            </th>
            <td dir="auto" className="border-b border-hairline py-1 wrap-anywhere whitespace-pre-wrap">
              {value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// Dates and numbers stay as they were written.
const yamlOptions = { schema: 'failsafe', logLevel: 'error' } as const

/** @returns undefined for text that isn't a YAML mapping */
export function readRows(source: string): [key: string, value: string][] | undefined {
  try {
    const properties: unknown = parse(source, { ...yamlOptions, uniqueKeys: false, maxAliasCount: 20 })
    if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return undefined
    return Object.entries(properties).map(([key, value]) => [key, formatValue(value)])
  } catch {
    return undefined
  }
}

function formatValue(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  if (typeof value === 'object' && value !== null) return stringify(value, yamlOptions).trim()
  return String(value ?? '').trim()
}
