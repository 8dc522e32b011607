import { type AgentClass, defaultAvatar, defaultThemeColor } from './agent-words.ts'
import type { AgentConfig } from './agents.ts'

export function withLeadLooks<Config extends Pick<AgentConfig, 'avatar' | 'theme_color'>>(
  agentClass: AgentClass,
  config: Config,
): Config {
  if (agentClass !== 'Lead' || (config.avatar?.trim() && config.theme_color)) return config
  return {
    ...config,
    avatar: config.avatar?.trim() || defaultAvatar,
    theme_color: config.theme_color || defaultThemeColor,
  }
}
