import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, Play, Trash2, Unlink } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { engagementTemplates, type TemplateRun } from '#contract/keepers/engagement-templates.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { KeeperLoader, KeeperTitle } from '../keeper-frame.tsx'
import { TemplateListItem } from './template-list-item.tsx'
import {
  getEngagementPath,
  getTemplatePagePath,
  invalidateTemplates,
  openRunsQuery,
  templatesOfKeeperQuery,
  templatesQuery,
  useStartRun,
} from './template-queries.ts'

export function KeeperTemplatesPage() {
  const [query] = useSearchParams()
  return (
    <KeeperLoader id={query.get('id') ?? ''} pageName="Engagement Templates">
      {(keeper) => <KeeperTemplates keeper={keeper} />}
    </KeeperLoader>
  )
}

function KeeperTemplates({ keeper }: { keeper: Keeper }) {
  const queryClient = useQueryClient()
  const isDemo = isDemoKeeper(keeper.id)
  const templatesResult = useQuery({ ...templatesOfKeeperQuery(keeper.id), enabled: !isDemo })
  const templates = templatesResult.data
  const { data: allTemplates } = useQuery({ ...templatesQuery, enabled: !isDemo })
  const [chosenId, setChosenId] = useState('')
  const [linkFailure, setLinkFailure] = useState<string>()
  const runStarter = useStartRun()
  const unlinkedTemplates = allTemplates?.filter(({ id }) => !templates?.some((template) => template.id === id)) ?? []

  const changeLink = useMutation({
    async mutationFn({ templateId, isLinked }: { templateId: string; isLinked: boolean }) {
      const endpoint = isLinked ? engagementTemplates.linkToKeeper : engagementTemplates.unlinkFromKeeper
      await call(endpoint, { params: { id: keeper.id, templateId } })
      setChosenId('')
      await invalidateTemplates(queryClient)
    },
    onMutate: () => setLinkFailure(undefined),
    onError: (reason, { isLinked }) =>
      setLinkFailure(getServerMessage(reason) ?? `Failed to ${isLinked ? 'link' : 'unlink'} the template`),
  })
  const failure = linkFailure ?? runStarter.failure

  return (
    <>
      <PageHeader
        title={<KeeperTitle keeper={keeper} pageName="Engagement Templates" />}
        subtitle="Questions this keeper can ask you."
        actions={<LinkButton to="/keeper/engagement-templates">All templates</LinkButton>}
      />
      {isDemo && (
        <EmptyPanel drawing="letter" title="This is a sample">
          Templates can’t be linked to a sample keeper. Try them from the list of all templates.
        </EmptyPanel>
      )}
      {failure && (
        <Banner tone="error" className="mb-4">
          {failure}
        </Banner>
      )}
      {!isDemo && (
        <QueryStatus
          reportsRefetch
          className="mb-4"
          query={templatesResult}
          title={getServerMessage(templatesResult.error) ?? 'Failed to load engagement templates'}
          skeletonClassName="h-64"
        />
      )}
      {!isDemo && <OpenRuns keeperId={keeper.id} />}
      {templates?.length === 0 && (
        <EmptyPanel drawing="letter" title="No engagement templates yet">
          Link a template below, or choose a keeper type that has some.
        </EmptyPanel>
      )}
      {templates && templates.length > 0 && (
        <section aria-labelledby="its-templates">
          <h2 id="its-templates" className="mb-2">
            This keeper’s templates
          </h2>
          <ul aria-label="This keeper’s templates" className="border-t border-hairline">
            {templates.map((template) => (
              <TemplateListItem
                key={template.id}
                template={template}
                detail={
                  <span className="block text-ui text-muted-foreground wrap-break-word">{template.description}</span>
                }
                badge={template.ofType ? undefined : 'linked'}
              >
                {template.kind === 'page' ? (
                  <LinkButton
                    size="small"
                    to={getTemplatePagePath(keeper.id, template)}
                    aria-label={`Open ${template.label}`}
                  >
                    Open
                  </LinkButton>
                ) : (
                  <Button
                    size="small"
                    busy={runStarter.busy}
                    aria-label={`Start ${template.label}`}
                    onClick={() => runStarter.startRun({ template, keeperId: keeper.id })}
                    icon={<Play aria-hidden size={13} />}
                  >
                    Start
                  </Button>
                )}
                {!template.ofType && (
                  <IconButton
                    size="small"
                    label={`Unlink ${template.label}`}
                    onClick={() => changeLink.mutate({ templateId: template.id, isLinked: false })}
                  >
                    <Unlink aria-hidden size={15} />
                  </IconButton>
                )}
              </TemplateListItem>
            ))}
          </ul>
        </section>
      )}
      {unlinkedTemplates.length > 0 && (
        <div className="mt-5 flex flex-wrap items-end gap-2">
          <SelectField
            label="Link another template"
            className="w-75 max-w-full"
            value={chosenId}
            placeholder="Choose one"
            options={unlinkedTemplates.map(({ id, label }) => ({ value: id, label }))}
            onChange={(event) => setChosenId(event.currentTarget.value)}
          />
          <Button
            disabled={chosenId === ''}
            onClick={() => changeLink.mutate({ templateId: chosenId, isLinked: true })}
            icon={<Link2 aria-hidden size={15} />}
          >
            Link
          </Button>
        </div>
      )}
    </>
  )
}

/** Unfinished runs of a keeper. Renders nothing without any. */
function OpenRuns({ keeperId }: { keeperId: string }) {
  const queryClient = useQueryClient()
  const { data: openRuns = [] } = useQuery(openRunsQuery(keeperId))
  const [failure, setFailure] = useState<string>()
  const discardOrRestore = useMutation({
    async mutationFn({ run: { id, template }, isRestored }: { run: TemplateRun; isRestored: boolean }) {
      // Starting again with the same id restores the discarded run.
      if (isRestored) await call(engagementTemplates.begin, { params: { x: template.id }, body: { keeperId, id } })
      else await call(engagementTemplates.abandon, { params: { runId: id } })
    },
    onMutate: () => setFailure(undefined),
    onError: (reason, { isRestored }) =>
      setFailure(getServerMessage(reason) ?? `Your answers couldn’t be ${isRestored ? 'restored' : 'discarded'}.`),
    async onSuccess(_, { run, isRestored }) {
      if (!isRestored) void showToast('Discarded', { onUndo: () => discardOrRestore.mutate({ run, isRestored: true }) })
      await invalidateTemplates(queryClient)
    },
  })

  if (openRuns.length === 0 && !failure) return null
  return (
    <section aria-labelledby="open-runs" className="mb-6">
      <h2 id="open-runs" className="mb-2">
        Unfinished
      </h2>
      {failure && <Banner tone="error">{failure}</Banner>}
      <ul aria-label="Unfinished" className="border-t border-hairline">
        {openRuns.map((run) => (
          <li key={run.id} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-hairline py-2.5">
            <span className="min-w-0 flex-1 basis-48">
              <span dir="auto" className="block font-medium wrap-break-word">
                {run.template.label}
              </span>
              <span className="block text-small text-muted-foreground">
                Step {Math.min(run.step + 1, run.steps.length)} of {run.steps.length}
                {run.waitUntil && (
                  <>
                    , opens <Time value={run.waitUntil} />
                  </>
                )}
              </span>
            </span>
            <LinkButton
              size="small"
              to={getEngagementPath(keeperId, run.id)}
              aria-label={`Continue ${run.template.label}`}
            >
              Continue
            </LinkButton>
            <IconButton
              size="small"
              label={`Discard ${run.template.label}`}
              onClick={() => discardOrRestore.mutate({ run, isRestored: false })}
            >
              <Trash2 aria-hidden size={15} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
