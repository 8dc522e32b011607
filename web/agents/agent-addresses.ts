export const registryAddress = '/studio/agents'
export const logsAddress = '/studio/kip/logs'

export const newAgentAddress = `${registryAddress}?tab=agent`
export const editAddress = (agentId: string) => `${registryAddress}?tab=agent&agentId=${encodeURIComponent(agentId)}`
export const runAddress = (runId: string) => `${logsAddress}?run=${encodeURIComponent(runId)}`
export const workspaceAddress = (agentId: string) => `/studio/agents/${encodeURIComponent(agentId)}`
export const chatAddress = (slug: string) => `/${slug}`
