import type { Agent } from './agents.ts'

/** Every server has these; the pages show them as samples while the server can't be reached. */
export const builtInAgents = [
  {
    slug: 'type-agent',
    name: 'Type Agent',
    purpose:
      'Turns a description of what someone wants to keep into a keeper type: its name, its purpose and the memory pattern that fits.',
    agent_class: 'Standard',
    context_scope: 'user_input',
    memory_enabled: false,
    config: {},
  },
  {
    slug: 'platform-agent',
    name: 'Platform Agent',
    purpose:
      'Answers questions about this Keeper: where things are, how they work, and which agent to make for a task.',
    agent_class: 'Standard',
    context_scope: 'platform_wide',
    memory_enabled: false,
    config: {},
  },
  {
    slug: 'code-agent',
    name: 'Code Agent',
    purpose: 'Reads, explains and writes code, and says plainly when it is not sure.',
    agent_class: 'Standard',
    context_scope: 'codebase',
    memory_enabled: false,
    config: {},
  },
  {
    slug: 'kip',
    name: 'Kip',
    purpose: 'The guide of this Keeper. Answers questions about keepers and agents and shows where things live.',
    agent_class: 'Lead',
    context_scope: 'platform_wide',
    memory_enabled: true,
    config: {
      tagline: 'Knows where everything is kept, and what is not worth keeping.',
      personality: 'Calm, brief and concrete.',
      avatar: 'K',
      theme_color: '#b27a1c',
    },
  },
  {
    slug: 'ceox',
    name: 'CeoX',
    purpose: 'Weighs decisions with you: lays out the options, asks for what is missing, and keeps to what was said.',
    agent_class: 'Lead',
    context_scope: 'user_input',
    memory_enabled: true,
    config: {
      tagline: 'Weighs decisions with you.',
      personality: 'Direct, fair, and never in a hurry.',
      avatar: 'C',
      theme_color: '#34507a',
    },
  },
] satisfies (Pick<Agent, 'slug' | 'name' | 'purpose' | 'agent_class' | 'context_scope' | 'memory_enabled'> & {
  config: Record<string, string>
})[]
