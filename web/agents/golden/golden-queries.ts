import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type GoldenRun, goldenQuestions } from '#contract/agents/golden-questions.ts'
import { type CallInput, call } from '#web/api/api.ts'

const goldenKey = (agentId: string) => ['golden', agentId] as const

export const goldenQuestionsQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...goldenKey(agentId), 'questions'],
    queryFn: ({ signal }) => call(goldenQuestions.list, { params: { agentId }, signal }),
  })

const goldenRunsQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...goldenKey(agentId), 'runs'],
    queryFn: ({ signal }) => call(goldenQuestions.runs, { params: { agentId }, signal }),
  })

const goldenRunQuery = (agentId: string, goldenRunId: string) =>
  queryOptions({
    queryKey: [...goldenKey(agentId), 'runs', goldenRunId],
    queryFn: ({ signal }) => call(goldenQuestions.showRun, { params: { agentId, goldenRunId }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1000 : false),
  })

/** A golden run, polled while it runs; without an id, the agent’s latest. */
export function useGoldenRun(agentId: string, goldenRunId?: string) {
  const latest = useQuery({ ...goldenRunsQuery(agentId), enabled: goldenRunId === undefined })
  const id = goldenRunId ?? latest.data?.[0]?.id
  const run = useQuery({ ...goldenRunQuery(agentId, id ?? ''), enabled: id !== undefined })
  return {
    run: run.data,
    isPending: (goldenRunId === undefined && latest.isPending) || (id !== undefined && run.isPending),
    error: run.error ?? latest.error,
    retry: () => (latest.error ? latest : run).refetch(),
  }
}

export function useStartGoldenRun(agentId: string) {
  const cacheRun = useCacheGoldenRun(agentId)
  return useMutation({
    mutationFn: (body: CallInput<typeof goldenQuestions.run>['body']) =>
      call(goldenQuestions.run, { params: { agentId }, body }),
    onSuccess: cacheRun,
  })
}

export function useStopGoldenRun(agentId: string) {
  const cacheRun = useCacheGoldenRun(agentId)
  return useMutation({
    mutationFn: (goldenRunId: string) => call(goldenQuestions.stopRun, { params: { agentId, goldenRunId } }),
    onSuccess: cacheRun,
  })
}

function useCacheGoldenRun(agentId: string) {
  const queryClient = useQueryClient()
  return (run: GoldenRun) => {
    queryClient.setQueryData(goldenRunQuery(agentId, run.id).queryKey, run)
    void queryClient.invalidateQueries({ queryKey: goldenRunsQuery(agentId).queryKey, exact: true })
  }
}
