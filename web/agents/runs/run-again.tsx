import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Repeat2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Agent } from '#contract/agents/agents.ts'
import type { RunDetail } from '#contract/agents/runs.ts'
import { versions } from '#contract/agents/versions.ts'
import { call } from '#web/api/api.ts'
import { useDraft } from '#web/offline/use-draft.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { agentsKey, logsKey, useAgentList } from '../agent-queries.ts'
import { RunAgainForm, type RunAgainInput } from './run-again-form.tsx'
import { useRun } from './run-store.ts'

export interface RunAgainProps {
  run: RunDetail
  onStarted: (runId: string) => void
}

export function RunAgain({ run, onStarted }: RunAgainProps) {
  const [open, setOpen] = useState(false)
  const { data } = useAgentList()
  const agent = data?.from === 'server' ? data.agents.find(({ id }) => id === run.agent?.id) : undefined
  if (!agent?.may.edit) return null
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} icon={<Repeat2 aria-hidden size={13} />}>
        Run again with changes
      </Button>
      <Drawer
        open={open}
        onOpenChange={setOpen}
        title="Run again with changes"
        className="w-[520px] phone:w-screen phone:max-w-none"
      >
        <PrefilledForm
          run={run}
          agent={agent}
          onStarted={(runId) => {
            setOpen(false)
            onStarted(runId)
          }}
        />
      </Drawer>
    </>
  )
}

function PrefilledForm({ run, agent, onStarted }: RunAgainProps & { agent: Agent }) {
  const { purpose, note } = useRunPurpose(run, agent)
  const queryClient = useQueryClient()
  const { view, start } = useRun()
  const draft = useDraft<RunAgainInput | null>(`kept/run-again-${run.id}`, null)
  const { clear } = draft
  const runId = view?.runId
  useEffect(() => {
    if (!runId) return
    void clear()
    void queryClient.invalidateQueries({ queryKey: logsKey })
    onStarted(runId)
  }, [runId, clear, queryClient, onStarted])

  if (purpose === undefined || !draft.ready) {
    return (
      <SkeletonGroup label="Loading the agent" className="flex flex-col gap-4">
        <Skeleton className="h-20" />
        <Skeleton className="h-24" />
        <Skeleton className="h-9" />
      </SkeletonGroup>
    )
  }
  return (
    <RunAgainForm
      run={run}
      draft={draft}
      purpose={purpose}
      savedPurpose={agent.purpose}
      note={note}
      busy={view?.status === 'running'}
      problem={view && view.status !== 'running' ? view.reason : undefined}
      onRun={(input, overrides) => void start({ agentId: agent.id, input, overrides })}
    />
  )
}

/** The run's purpose: overridden, or from its version. Undefined while loading. */
function useRunPurpose(run: RunDetail, agent: Agent): { purpose: string | undefined; note?: string } {
  const existingPurpose = run.overrides?.purpose ?? (agent.rev === run.agent_version ? agent.purpose : undefined)
  const version = useQuery({
    queryKey: [...agentsKey, 'version', agent.id, run.agent_version],
    queryFn: ({ signal }) => call(versions.show, { params: { agentId: agent.id, version: run.agent_version }, signal }),
    enabled: existingPurpose === undefined,
    retry: false,
  })
  if (existingPurpose !== undefined) return { purpose: existingPurpose }
  if (version.data) return { purpose: version.data.snapshot.purpose }
  if (version.isPending) return { purpose: undefined }
  return {
    purpose: agent.purpose,
    note: `Version ${run.agent_version} couldn’t be loaded. This is the current purpose.`,
  }
}
