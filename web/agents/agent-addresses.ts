export const registryAddress = '/studio/agents'
export const studioAddress = '/studio/kip'
export const logsAddress = '/studio/kip/logs'

export const newAgentAddress = `${registryAddress}?tab=agent`
export const getEditAddress = (agentId: string) => `${registryAddress}?tab=agent&agentId=${encodeURIComponent(agentId)}`
export const getRunAddress = (runId: string) => `${logsAddress}?run=${encodeURIComponent(runId)}`
export const getRunBoardAddress = (runId: string) => `/studio/board-studio?runId=${encodeURIComponent(runId)}`
export const getWorkspaceAddress = (agentId: string) => `/studio/agents/${encodeURIComponent(agentId)}`
export const getChatAddress = (slug: string) => `/${slug}`
export const getSessionAddress = (slug: string, sessionId: string) =>
  `${getChatAddress(slug)}?sessionId=${encodeURIComponent(sessionId)}`
export const getVersionAddress = (agentId: string, version: number) => `${getEditAddress(agentId)}&version=${version}`
