import { BookOpen } from 'lucide-react'
import type { TemplateRun, TemplateTarget } from '#contract/keepers/engagement-templates.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { getTemplatesPath } from '../keeper-addresses.ts'

const targetPages: Record<TemplateTarget, { page: string; name: string; savedText: string }> = {
  reflection: { page: 'reflection-journal', name: 'reflection', savedText: 'Saved as a reflection' },
  moment: { page: 'moments', name: 'moment', savedText: 'Saved as a moment' },
  logbook: { page: 'identity-logbook', name: 'logbook entry', savedText: 'Saved in the logbook' },
}

export function RunFinished({ run, trial }: { run: TemplateRun; trial: boolean }) {
  const { savedText, name } = targetPages[run.template.target]
  return (
    <Card kind="paper" className="mx-auto flex max-w-[640px] flex-col items-start gap-3" role="status">
      <h2>{trial ? 'That’s all' : savedText}</h2>
      <p className="max-w-[48ch] text-muted-foreground">
        {trial
          ? `In your own keeper, your answers would now be a ${name}. Here, they weren’t saved.`
          : 'You can edit this entry like any other. It doesn’t depend on the template.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {!trial &&
          run.entries.map(({ entity, id }) => (
            <LinkButton
              key={id}
              variant="primary"
              to={`/keeper/${encodeURIComponent(run.keeperId)}/${targetPages[entity].page}?${entity === 'logbook' ? 'entry' : entity}=${encodeURIComponent(id)}`}
              icon={<BookOpen aria-hidden size={15} />}
            >
              Open the {targetPages[entity].name}
            </LinkButton>
          ))}
        <LinkButton to={trial ? '/keeper/engagement-templates' : getTemplatesPath(run.keeperId)}>
          {trial ? 'All templates' : 'This keeper’s templates'}
        </LinkButton>
      </div>
    </Card>
  )
}

export function RunWaiting({ run, onBack }: { run: TemplateRun; onBack: (() => void) | undefined }) {
  return (
    <Card kind="paper" className="mx-auto flex max-w-[640px] flex-col items-start gap-3">
      <h2>{run.template.label} is waiting</h2>
      <p className="max-w-[48ch] text-muted-foreground">
        The next step, {run.steps[run.step]?.title}, opens {run.waitUntil && <Time value={run.waitUntil} />}. Your
        answers are saved, and this page brings you back to them.
      </p>
      <div className="flex flex-wrap gap-2">
        {onBack && <Button onClick={onBack}>Review your answers</Button>}
        <LinkButton to={getTemplatesPath(run.keeperId)}>This keeper’s templates</LinkButton>
      </div>
    </Card>
  )
}
