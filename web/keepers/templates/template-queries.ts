import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from 'react-router'
import {
  type EngagementTemplate,
  engagementTemplates,
  type TemplateRun,
} from '#contract/keepers/engagement-templates.ts'
import { ApiError, call, getServerMessage } from '#web/api/api.ts'
import { dedupeById, iteratePages, readAllPages } from '#web/api/api-pages.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { keeperKey } from '../keeper-queries.ts'

const templatesKey = ['engagement-templates'] as const

export const templatesQuery = queryOptions({
  queryKey: [...templatesKey, 'all'],
  queryFn: ({ signal }) => readAllPages<EngagementTemplate>(engagementTemplates.list, {}, signal),
})

export const templateQuery = (idOrSlug: string) =>
  queryOptions({
    queryKey: [...templatesKey, 'one', idOrSlug],
    queryFn: async ({ signal }) => {
      const result = await call(engagementTemplates.find, { params: { x: idOrSlug }, signal })
      return Array.isArray(result) ? null : result
    },
  })

export const templatesOfKeeperQuery = (keeperId: string) =>
  queryOptions({
    queryKey: keeperKey(keeperId, 'templates'),
    queryFn: ({ signal }) => call(engagementTemplates.ofKeeper, { params: { id: keeperId }, signal }),
  })

/** Unfinished runs. The server lists them first, so later pages aren't fetched. */
export const openRunsQuery = (keeperId: string) =>
  queryOptions({
    queryKey: keeperKey(keeperId, 'template-runs'),
    async queryFn({ signal }) {
      const openRuns: TemplateRun[] = []
      for await (const page of iteratePages<TemplateRun[]>(
        engagementTemplates.runsOfKeeper,
        { id: keeperId },
        signal,
      )) {
        openRuns.push(...page.filter(({ finishedAt }) => finishedAt === null))
        if (page.at(-1)?.finishedAt !== null) break
      }
      return dedupeById(openRuns)
    },
  })

export const runQuery = (keeperId: string, runId: string) =>
  queryOptions({
    queryKey: keeperKey(keeperId, 'template-run', runId),
    queryFn: ({ signal }) => call(engagementTemplates.showRun, { params: { runId }, signal }),
  })

export const invalidateTemplates = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: templatesKey }),
    queryClient.invalidateQueries({ queryKey: keeperTypesKey }),
    queryClient.invalidateQueries({ queryKey: ['keeper'] }),
  ])

export const getEngagementPath = (keeperId: string, runId: string) =>
  `/keeper/${encodeURIComponent(keeperId)}/engagement?run=${encodeURIComponent(runId)}`

const pagesBySlug: Record<string, string> = {
  reflection_journal: 'reflection-journal',
  memorycard_generator: 'memory-cards',
  voice_panel: 'voice-panel',
  echo_writer: 'echo-writer',
  identity_logbook: 'identity-logbook',
}
/** The keeper page that a template of kind `page` opens. */
export function getTemplatePagePath(keeperId: string, { slug }: Pick<EngagementTemplate, 'slug'>): string {
  const page = Object.hasOwn(pagesBySlug, slug) ? pagesBySlug[slug] : 'dashboard'
  return `/keeper/${encodeURIComponent(keeperId)}/${page}`
}

/** The target of Test: a demo page or a trial run; `undefined` when there is nothing to try. */
export function getTestPath(template: Pick<EngagementTemplate, 'slug' | 'kind'>): string | undefined {
  if (Object.hasOwn(pagesBySlug, template.slug)) return getTemplatePagePath('demo', template)
  return template.kind === 'page' ? undefined : `/keeper/demo/engagement?template=${encodeURIComponent(template.slug)}`
}

/** Starts a template in a keeper and opens it; a retry after a lost answer doesn't start it twice. */
export function useStartRun() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const nextRunId = useRef(createClientId())
  const start = useMutation({
    async mutationFn({ template, keeperId }: { template: EngagementTemplate; keeperId: string }) {
      const run = await call(engagementTemplates.begin, {
        params: { x: template.id },
        body: { keeperId, id: nextRunId.current },
      })
      nextRunId.current = createClientId()
      queryClient.setQueryData(keeperKey(keeperId, 'template-run', run.id), run)
      void invalidateTemplates(queryClient)
      navigate(getEngagementPath(keeperId, run.id))
    },
    onError(reason) {
      // After a refused id the next attempt uses a new one.
      if (reason instanceof ApiError && reason.status === 409) nextRunId.current = createClientId()
    },
  })
  return {
    startRun: start.mutate,
    busy: start.isPending,
    failure: start.error && (getServerMessage(start.error) ?? `${start.variables.template.label} couldn’t be started.`),
  }
}
