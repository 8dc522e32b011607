/** In place of the id of an agent that is tried before it is saved. */
export const trialAgentId = 'trial'
