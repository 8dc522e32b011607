import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ModelPrice } from '#contract/agents/usage.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { type Column, Table } from '#web/ui/panels/table.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { PriceForm } from './price-form.tsx'
import { usePrices } from './usage-queries.ts'

const getPriceId = ({ provider, model }: ModelPrice) => `${provider}/${model}`
const priceFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 })

function createAmountColumn(
  header: string,
  getAmount: (row: ModelPrice) => number | null,
  { wideOnly = false } = {},
): Column<ModelPrice> {
  const cell = (row: ModelPrice) => {
    const amount = getAmount(row)
    return amount === null ? '' : priceFormat.format(amount)
  }
  return { id: header, header, numeric: true, wideOnly, cell }
}

export function PriceTable({ mayChange }: { mayChange: boolean }) {
  const prices = usePrices()
  /** A price id or `new`. */
  const [editedId, setEditedId] = useState<string>()

  function closeForm() {
    setEditedId(undefined)
    const buttonId = `price-${editedId}`
    requestAnimationFrame(() => document.getElementById(buttonId)?.focus())
  }

  const status = (
    <QueryState
      reportsRefetch
      className="mb-4"
      query={prices}
      skeleton={<SkeletonRows count={4} rowClassName="h-9" />}
      title="The prices couldn’t be loaded."
      details={prices.error?.message}
    />
  )
  if (!prices.data) return status
  const columns: Column<ModelPrice>[] = [
    { id: 'provider', header: 'Provider', wideOnly: true, cell: (row) => getProviderName(row.provider) },
    {
      id: 'model',
      header: 'Model',
      rowHeader: true,
      className: 'min-w-24 wrap-anywhere',
      cell: (row) => (
        <>
          <span className="font-mono text-code">{row.model}</span>
          <span className="hidden text-small text-muted-foreground phone:block">
            {getProviderName(row.provider)}
            {row.source === 'own' && ', set here'}
          </span>
        </>
      ),
    },
    createAmountColumn('Input', (row) => row.input_usd),
    createAmountColumn('Cached', (row) => row.cached_input_usd, { wideOnly: true }),
    createAmountColumn('Cache write', (row) => row.cache_write_usd, { wideOnly: true }),
    createAmountColumn('Output', (row) => row.output_usd),
    {
      id: 'source',
      header: 'From',
      wideOnly: true,
      cell: ({ source, updated_at }) =>
        source === 'own' ? (
          <Badge tone="ribbon">Set here{updated_at && `, ${formatTime(updated_at)}`}</Badge>
        ) : (
          <Badge tone="outlined">Comes with Keeper</Badge>
        ),
    },
  ]
  const editedPrice = prices.data.find((price) => getPriceId(price) === editedId)
  return (
    <>
      {status}
      <div className="mb-3 flex flex-wrap items-start gap-3">
        <p className="me-auto max-w-[72ch] text-ui text-muted-foreground">
          US dollars per million tokens. A change applies from the next run; earlier runs keep their cost. A model
          without a known price counts toward budgets at its provider’s highest price. Cached input without its own
          price costs the same as input.
        </p>
        {mayChange && (
          <Button id="price-new" size="small" icon={<Plus aria-hidden size={13} />} onClick={() => setEditedId('new')}>
            Add a price
          </Button>
        )}
      </div>
      {(editedPrice || editedId === 'new') && <PriceForm key={editedId} price={editedPrice} onDone={closeForm} />}
      <Card padded={false} className="overflow-clip">
        <Table
          opensRows={mayChange}
          label="Prices"
          columns={columns}
          rows={prices.data}
          rowKey={getPriceId}
          isChosen={(row) => getPriceId(row) === editedId}
          {...(mayChange && {
            rowActions: (row: ModelPrice) => (
              <Button
                id={`price-${getPriceId(row)}`}
                size="small"
                onClick={() => setEditedId(getPriceId(row))}
                aria-label={`Change the price of ${row.model}`}
              >
                Change
              </Button>
            ),
          })}
        />
      </Card>
    </>
  )
}
