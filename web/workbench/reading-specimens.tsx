import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { Kbd } from '../ui/controls/kbd.tsx'
import { Pagination } from '../ui/controls/pagination.tsx'
import { Tabs } from '../ui/controls/tabs.tsx'
import { Cover } from '../ui/drawings/cover.tsx'
import { DayDots } from '../ui/drawings/day-dots.tsx'
import { JourneyLine } from '../ui/drawings/journey-line.tsx'
import { Landscape } from '../ui/drawings/landscape.tsx'
import { Seal } from '../ui/drawings/seal.tsx'
import { Spot, type SpotName } from '../ui/drawings/spot.tsx'
import { Badge } from '../ui/panels/badge.tsx'
import { Card } from '../ui/panels/card.tsx'
import { PageHeader } from '../ui/panels/page-header.tsx'
import { Ribbon } from '../ui/panels/ribbon.tsx'
import { StatTile } from '../ui/panels/stat-tile.tsx'
import { type Column, Table, type TableSort } from '../ui/panels/table.tsx'
import { CodeBlock } from '../ui/text/code-block.tsx'
import { StreamingText } from '../ui/text/streaming-text.tsx'
import { Time } from '../ui/text/time.tsx'
import { Specimen, SpecimenRow } from './control-specimens.tsx'

interface Run {
  agent: string
  tokens: number
  at: string
}

const runs: Run[] = [
  { agent: 'Recipe Reader', tokens: 1840, at: '2026-11-20T09:12:00Z' },
  { agent: 'Harbour Keeper', tokens: 322, at: '2026-11-18T21:40:00Z' },
]

const columns: Column<Run>[] = [
  { id: 'agent', header: 'Agent', cell: (run) => run.agent, sortable: true, rowHeader: true },
  { id: 'tokens', header: 'Tokens', cell: (run) => run.tokens.toLocaleString('en-US'), numeric: true, sortable: true },
  { id: 'at', header: 'Last run', cell: (run) => <Time value={run.at} /> },
]

export function ReadingSpecimens() {
  const [tab, setTab] = useState<'write' | 'all' | 'suggested' | 'logs'>('write')
  const [page, setPage] = useState(2)
  const [sort, setSort] = useState<TableSort>({ column: 'agent', direction: 'ascending' })
  const sortFactor = sort.direction === 'ascending' ? 1 : -1
  const rows = [...runs].sort((a, b) =>
    sort.column === 'tokens' ? (a.tokens - b.tokens) * sortFactor : a.agent.localeCompare(b.agent) * sortFactor,
  )
  return (
    <>
      <Specimen title="Tabs">
        <Tabs
          label="Reflections"
          value={tab}
          onValueChange={setTab}
          tabs={[
            { id: 'write', label: 'Write' },
            { id: 'all', label: 'All', count: 24 },
            { id: 'suggested', label: 'Suggested', count: 3, needsAttention: true },
            { id: 'logs', label: 'Logs', disabled: true },
          ]}
        >
          <p className="text-muted-foreground">Content of the “{tab}” tab.</p>
        </Tabs>
      </Specimen>
      <Specimen title="Table and pages">
        <Table
          label="Runs"
          columns={columns}
          rows={rows}
          rowKey={(run) => run.agent}
          sort={sort}
          onSortChange={setSort}
          isChosen={(run) => run.agent === 'Harbour Keeper'}
          rowActions={() => (
            <IconButton label="Edit" size="small">
              <Pencil aria-hidden size={14} />
            </IconButton>
          )}
        />
        <Pagination className="mt-3" page={page} pageCount={7} onPageChange={setPage} />
      </Specimen>
      <Specimen title="Cards">
        <div className="grid gap-3">
          <Card>
            <h3>The Harbour Year</h3>
            <p className="text-muted-foreground">A card in a list.</p>
          </Card>
          <Card kind="paper">
            <Ribbon />
            <p className="font-serif text-read">The boats came in early, and nobody said why.</p>
          </Card>
          <Card kind="index">
            <p className="font-serif text-read">He salted the bread twice.</p>
          </Card>
        </div>
      </Specimen>
      <Specimen title="Page header">
        <PageHeader
          title="Manage Agents"
          subtitle="Agents that read, draft and answer for you."
          badges={<Badge tone="ribbon">Beta</Badge>}
          actions={
            <>
              <Button>Refresh</Button>
              <Button variant="primary">Create New Agent</Button>
            </>
          }
        />
      </Specimen>
      <Specimen title="Stat tiles">
        <div className="grid grid-cols-3 gap-4">
          <StatTile label="Moments" value="128" hint="6 this week" />
          <StatTile label="Passed" value="17" tone="success" />
          <StatTile label="Failed" value="2" tone="destructive" />
        </div>
      </Specimen>
      <Specimen title="Text and code">
        <SpecimenRow>
          <Time value={runs[0]?.at ?? ''} timeStyle="day" />
          <Time value={runs[0]?.at ?? ''} timeStyle="time" />
          <Kbd>Ctrl K</Kbd>
          <CopyButton text="willowbrook" label="Copy slug" />
          <CopyButton text="willowbrook">Copy report</CopyButton>
        </SpecimenRow>
        <p className="mb-3 font-serif text-read">
          <StreamingText streaming text="I read two entries about the kettle. In both of them it is winter" />
        </p>
        <CodeBlock label="Run output" value={{ success: true, model: 'gpt-5-mini', tokens: 1840, error: null }} />
      </Specimen>
    </>
  )
}

const spots: SpotName[] = ['drawer', 'lamp', 'path', 'letter', 'seal', 'leaf', 'frames']
const pigments = [
  ['bg-chart1', 'iron-gall'],
  ['bg-chart2', 'ochre'],
  ['bg-chart3', 'verdigris'],
  ['bg-chart4', 'madder'],
  ['bg-chart5', 'mauve'],
] as const

export function DrawingSpecimens() {
  return (
    <>
      <Specimen title="Seals">
        <SpecimenRow>
          {['Standard', 'Coordinator', 'Lead', 'Persona'].map((kind) => (
            <span key={kind} className="flex items-center gap-1.5 text-small">
              <Seal name={kind} kind={kind} size={34} />
              {kind}
            </span>
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen title="Covers">
        <SpecimenRow>
          {['harbour', 'kitchen', 'garden', 'father', 'work', 'letters', 'winter', 'bread'].map((seed, index) => (
            <Cover key={seed} seed={seed} width={66} height={88} ribbon={index % 3 === 0} />
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen title="Spot drawings">
        <SpecimenRow>
          {spots.map((name) => (
            <Spot key={name} name={name} width={96} />
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen title="Pigments">
        <div className="flex flex-wrap gap-3">
          {pigments.map(([color, name]) => (
            <span key={name} className="flex flex-col items-center gap-1 text-small text-muted-foreground">
              <span className={`size-11 rounded-full ${color}`} />
              {name}
            </span>
          ))}
        </div>
      </Specimen>
      <Specimen title="Lines">
        <JourneyLine seed="harbour" progress={0.62} />
        <div className="my-4">
          <DayDots
            label="Written on 5 of the last 7 days"
            days={['written', 'kept', 'missed', 'written', 'kept', 'written', 'ahead']}
          />
        </div>
      </Specimen>
      <Specimen title="Landscape">
        <div className="aspect-4/3 overflow-hidden rounded-lg border border-border">
          <Landscape width={800} height={600} />
        </div>
      </Specimen>
    </>
  )
}
