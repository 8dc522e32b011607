import { useMemo } from 'react'
import { parse, stringify } from 'yaml'
import { toYamlProperties, yamlMapOptions } from '#contract/yaml-properties.ts'

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
const yamlSchema = 'failsafe'

/** @returns undefined for text that isn't a YAML mapping with properties */
export function readRows(source: string): [key: string, value: string][] | undefined {
  try {
    const properties = toYamlProperties(parse(source, { ...yamlMapOptions, schema: yamlSchema, maxAliasCount: 20 }))
    const rows = Object.entries(properties ?? {}).map(([key, value]): [string, string] => [key, formatProperty(value)])
    return rows.length > 0 ? rows : undefined
  } catch {
    return undefined
  }
}

function formatProperty(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  if (typeof value === 'object' && value !== null) return stringify(value, { schema: yamlSchema }).trim()
  return String(value ?? '').trim()
}
