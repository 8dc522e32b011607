import { useMemo, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { parseCsv } from '../text/parse-csv.ts'

const maxRows = 50_000
const maxColumns = 60
const pageSize = 200
const maxPrintedRows = 5000

/** Cells are plain text: no formulas, links or markup. */
export function CsvTable({ text, label }: { text: string; label: string }) {
  const [headerRow = [], ...rows] = useMemo(() => parseCsv(text, maxRows + 1), [text])
  const [limit, setLimit] = useState(pageSize)
  const count = usePrinting() ? Math.max(limit, maxPrintedRows) : limit
  const columns = Math.min(maxColumns, Math.max(headerRow.length, ...rows.slice(0, 1000).map((row) => row.length)))
  if (headerRow.length === 0)
    return <p className="py-6 text-center text-ui text-muted-foreground">This document is empty.</p>
  const toCells = (row: string[]) => Array.from({ length: columns }, (_, index) => row[index] ?? '')
  const isTruncated = headerRow.length > maxColumns || rows.length >= maxRows
  return (
    <>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="max-h-[calc(100dvh-290px)] min-h-40 overflow-auto rounded-md border border-border bg-card focus-visible:-outline-offset-2"
      >
        <table aria-label={label} className="border-collapse text-ui">
          <thead>
            <tr>
              {toCells(headerRow).map((cell, index) => (
                <th
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by index
                  key={index}
                  scope="col"
                  className="sticky top-0 border-b border-border bg-muted px-3 py-1.5 text-start font-label whitespace-nowrap"
                >
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, count).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by index
              <tr key={index} className="border-b border-hairline last:border-0">
                {toCells(row).map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by index
                  <td key={column} className="max-w-96 px-3 py-1.5 align-top wrap-anywhere">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="mt-2 flex flex-wrap items-center gap-2 text-small text-muted-foreground">
        {count < rows.length && (
          <Button size="small" onClick={() => setLimit(limit + pageSize * 5)}>
            Show more
          </Button>
        )}
        {Math.min(count, rows.length).toLocaleString('en-US')} of {pluralize(rows.length, 'row')}
        {isTruncated &&
          `. The table shows the first ${maxRows.toLocaleString('en-US')} rows and ${maxColumns} columns; choose Text to see everything.`}
      </div>
    </>
  )
}
