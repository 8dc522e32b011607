import { useQuery } from '@tanstack/react-query'
import { BookOpenText, Search } from 'lucide-react'
import { memo } from 'react'
import { dashboards } from '#contract/keepers/dashboard.ts'
import { keepers } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { demoKeeperIds } from '#contract/samples/demo-ids.ts'
import { call } from '#web/api/api.ts'
import { KeeperSectionNav } from '#web/keepers/dashboard/keeper-section-nav.tsx'
import { StreakStrip } from '#web/keepers/dashboard/streak-strip.tsx'
import { ReadOnlyMoment } from '#web/keepers/shared/read-only-moment.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { JourneyLine } from '#web/ui/drawings/journey-line.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'

const params = { id: demoKeeperIds[0] }

export const ThemeSamplePage = memo(function ThemeSamplePage() {
  const { data } = useQuery({
    queryKey: ['theme-sample'],
    queryFn: async () => ({
      keeper: await call(keepers.show, { params }),
      dashboard: await call(dashboards.show, { params }),
      moments: (await call(moments.list, { params })).items.slice(0, 2),
    }),
    networkMode: 'always',
  })
  if (!data) return null
  const { streak } = data.dashboard
  return (
    <div className="flex flex-col gap-5 p-5">
      <header className="flex items-start gap-4">
        <Cover seed="the-harbour-years" width={46} height={60} ribbon />
        <div className="min-w-0">
          <p className="text-ui text-muted-foreground">The Harbour Years</p>
          <p className="font-serif text-[1.5rem] leading-[1.875rem] font-medium">Today</p>
          <p className="text-muted-foreground">Day 320. 214 entries.</p>
        </div>
      </header>
      <div className="overflow-hidden">
        <KeeperSectionNav id={data.keeper.id} keeper={data.keeper} />
      </div>
      <Card kind="paper">
        <p className="font-serif text-read text-muted-foreground">What is worth keeping from today?</p>
        <div className="mt-3 flex flex-wrap items-center gap-2">
          <Button variant="primary" size="small">
            Keep
          </Button>
          <Button size="small">Add a picture</Button>
          <Badge tone="ribbon">Kept</Badge>
          <Badge>Mornings</Badge>
        </div>
      </Card>
      <div>
        {data.moments.map((moment) => (
          <ReadOnlyMoment key={moment.id} moment={moment} />
        ))}
      </div>
      <StreakStrip streak={streak} />
      <Card>
        <p className="font-semibold">Bergen and back</p>
        <JourneyLine seed="bergen" progress={0.6} pointCount={6} height={34} className="w-full" />
        <div className="mt-2 flex flex-wrap gap-1.5">
          <Badge tone="success">Arrived</Badge>
          <Badge tone="info">Two agents read here</Badge>
          <Badge tone="warning">Waiting</Badge>
          <Badge tone="destructive">Unreadable</Badge>
        </div>
      </Card>
      <div className="rounded-lg border border-border bg-popover p-[5px] text-popover-foreground shadow-e3">
        <p className="flex items-center gap-2.5 rounded-sm bg-accent px-2.5 py-1.5 text-ui text-accent-foreground">
          <BookOpenText aria-hidden size={14} /> Reflection Journal
        </p>
        <p className="flex items-center gap-2.5 px-2.5 py-1.5 text-ui">
          <Search aria-hidden size={14} /> Search
        </p>
      </div>
      <p className="self-end rounded-lg bg-secondary px-3.5 py-2 text-secondary-foreground">
        What did I write about the ferry?
      </p>
      <TextField label="Title" value="The Harbour Years" readOnly />
      <div className="flex flex-wrap items-center gap-2">
        <span className="rounded-md outline-2 outline-offset-2 outline-ring">
          <Button size="small">In focus</Button>
        </span>
        <Button variant="danger" size="small">
          Delete
        </Button>
        <span className="text-small font-medium text-destructive">Enter a title.</span>
      </div>
    </div>
  )
})
