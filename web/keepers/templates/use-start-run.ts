import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  type EngagementTemplate,
  engagementTemplates,
  type TemplateRun,
} from '#contract/keepers/engagement-templates.ts'
import { ApiError, call, getServerMessage } from '#web/api/api.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { keeperKey } from '../keeper-queries.ts'
import { invalidateTemplates } from './template-queries.ts'

/** Starts a template in a keeper; a retry after a lost answer doesn't start it twice. */
export function useStartRun() {
  const queryClient = useQueryClient()
  const id = useRef(createClientId())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function startRun(template: EngagementTemplate, keeperId: string): Promise<TemplateRun | undefined> {
    if (busy) return undefined
    setBusy(true)
    setFailure(undefined)
    try {
      const run = await call(engagementTemplates.begin, {
        params: { x: template.id },
        body: { keeperId, id: id.current },
      })
      id.current = createClientId()
      queryClient.setQueryData(keeperKey(keeperId, 'template-run', run.id), run)
      void invalidateTemplates(queryClient)
      return run
    } catch (reason) {
      // After a refused id the next attempt uses a new one.
      if (reason instanceof ApiError && reason.status === 409) id.current = createClientId()
      setFailure(getServerMessage(reason) ?? `${template.label} couldn’t be started.`)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { startRun, busy, failure }
}
