import type { Permission } from '../endpoint.ts'
import type { PlatformRole } from './accounts.ts'

interface RoleDescription {
  /** Enforced by the server. */
  implemented: readonly Permission[]
  /** Permissions the role is meant to have; unimplemented ones are shown as planned. */
  needed: readonly Permission[]
  description: string
}

export const rolePermissions: Record<PlatformRole, RoleDescription> = {
  'super-admin': {
    description: 'Full access to the platform.',
    implemented: [
      'access_admin_pages',
      'manage_platform_roles',
      'manage_domains',
      'manage_users',
      'view_analytics',
      'manage_api_keys',
      'system_configuration',
      'view_logs',
    ],
    needed: ['manage_domains', 'manage_users', 'view_analytics', 'manage_api_keys', 'system_configuration'],
  },
  admin: {
    description: 'Manages domains and people day to day.',
    implemented: ['access_admin_pages', 'manage_domains', 'view_analytics', 'manage_users'],
    needed: ['manage_domains', 'view_analytics', 'manage_users', 'content_moderation'],
  },
  support: {
    description: 'Helps people with their accounts.',
    implemented: ['view_logs'],
    needed: ['view_user_data', 'assist_users', 'view_logs', 'basic_analytics'],
  },
  moderator: {
    description: 'Moderates public content.',
    implemented: [],
    needed: ['moderate_content', 'review_reports', 'manage_flags', 'view_content_analytics'],
  },
  analyst: {
    description: 'Reads metrics and reports.',
    implemented: ['view_analytics'],
    needed: ['view_analytics', 'export_data', 'view_reports', 'read_only_access'],
  },
  developer: {
    description: 'Develops and maintains the platform.',
    implemented: ['view_logs'],
    needed: ['api_access', 'view_logs', 'debug_access', 'technical_tools'],
  },
  viewer: {
    description: 'Can view, but not change anything.',
    implemented: [],
    needed: ['read_only_access', 'view_public_data', 'basic_reports'],
  },
}

export function getRolePermissions(roles: readonly PlatformRole[]): Set<Permission> {
  return new Set(roles.flatMap((role) => rolePermissions[role].implemented))
}
