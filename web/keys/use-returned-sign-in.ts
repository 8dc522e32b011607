import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type PersonalToolServer, personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { call } from '#web/api/api.ts'
import { toolServersKey } from './tool-server-queries.ts'

/** Guards against double effects: a sign-in can finish only once. */
const finishedStates = new Set<string>()

/** Finishes a sign-in redirected back from a tool server and removes its parameters from the address. */
export function useReturnedSignIn(onEnd: (server: PersonalToolServer | undefined, reason?: unknown) => void) {
  const { search, pathname } = useLocation()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (body: Parameters<typeof finishSignIn>[0]) => finishSignIn(body),
    onSuccess: (server) => {
      onEnd(server)
      void queryClient.invalidateQueries({ queryKey: ['tools'] })
      return queryClient.invalidateQueries({ queryKey: toolServersKey })
    },
    onError: (reason) => onEnd(undefined, reason),
  })
  useEffect(() => {
    const params = new URLSearchParams(search)
    const state = params.get('state')
    if (!state || !(params.has('code') || params.has('error')) || finishedStates.has(state)) return
    finishedStates.add(state)
    const getParam = (name: string) => params.get(name) ?? undefined
    mutate({ state, code: getParam('code'), iss: getParam('iss'), error: getParam('error') })
    navigate(pathname, { replace: true })
  }, [search, pathname, navigate, mutate])
  return { isFinishing: isPending }
}

function finishSignIn(body: {
  state: string
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}) {
  return call(personalToolServers.finishSignIn, { body })
}
