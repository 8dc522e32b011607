import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type PersonalToolServer, personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { call } from '#web/api.ts'
import { toolServersKey } from './tool-server-queries.ts'

/** A sign-in ends once, also where the page is drawn twice. */
const finishedStates = new Set<string>()

/** Ends a sign-in that a tool server sent the browser back from, and takes what it put into the address out again. */
export function useReturnedSignIn(onEnd: (server: PersonalToolServer | undefined, reason?: unknown) => void) {
  const { search, pathname } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (body: Parameters<typeof finish>[0]) => finish(body),
    onSuccess: (server) => {
      onEnd(server)
      void queries.invalidateQueries({ queryKey: ['tools'] })
      return queries.invalidateQueries({ queryKey: toolServersKey })
    },
    onError: (reason) => onEnd(undefined, reason),
  })
  useEffect(() => {
    const params = new URLSearchParams(search)
    const state = params.get('state')
    if (!state || !(params.has('code') || params.has('error')) || finishedStates.has(state)) return
    finishedStates.add(state)
    const given = (name: string) => params.get(name) ?? undefined
    mutate({ state, code: given('code'), iss: given('iss'), error: given('error') })
    navigate(pathname, { replace: true })
  }, [search, pathname, navigate, mutate])
  return { isFinishing: isPending }
}

function finish(body: {
  state: string
  code?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}) {
  return call(personalToolServers.finishSignIn, { body })
}
