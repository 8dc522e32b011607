import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Time } from '#web/ui/text/time.tsx'

/** The sample story of an empty keeper. */
const mockSole = {
  keeper: 'Mock keeper',
  type: 'narrative',
  author: 'Sample',
  timestamp: '2026-01-05T08:00:00.000Z',
  content:
    'This is where the story of this keeper begins. As reflections are kept, a draft grows from them, and nothing becomes part of the story until you approve it.',
}

export function TypePattern({ memoryPattern }: { memoryPattern: string }) {
  const normalizedPattern = memoryPattern.toLowerCase()
  if (normalizedPattern === 'sole') return <SolePreview />
  if (normalizedPattern === 'crmtimeline')
    return (
      <Card>
        <h3>CRM Timeline</h3>
        <p className="mt-2 max-w-[60ch] text-ui">
          Keeps everything by date on one timeline, newest first, with no standing story.
        </p>
      </Card>
    )
  return (
    <Card>
      <h3>{memoryPattern}</h3>
      <p className="mt-2 text-ui">Custom memory pattern implementation.</p>
    </Card>
  )
}

function SolePreview() {
  return (
    <Card kind="paper">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 flex-1">Current SOLE architecture</h3>
        <Badge tone="outlined">Read-only preview</Badge>
      </div>
      <p className="max-w-[38rem] font-serif text-read">{mockSole.content}</p>
      <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(120px,1fr))] gap-4 border-t border-hairline pt-3 text-small">
        <div>
          <dt className="text-muted-foreground">Keeper</dt>
          <dd>{mockSole.keeper}</dd>
        </div>
        <div>
          <dt className="text-muted-foreground">Type</dt>
          <dd>{mockSole.type}</dd>
        </div>
        <div>
          <dt className="text-muted-foreground">Author</dt>
          <dd>{mockSole.author}</dd>
        </div>
        <div>
          <dt className="text-muted-foreground">Timestamp</dt>
          <dd>
            <Time value={mockSole.timestamp} />
          </dd>
        </div>
      </dl>
    </Card>
  )
}
