export const hostingErrors = {
  '403': 'Access denied to Vercel. Please check your Vercel configuration.',
  '404': 'Domain not found in Vercel project. Please add it to Vercel first.',
  DNS_CONFIG_ERROR: 'Failed to load DNS configuration. Please try again.',
} as const

export const takenCodes = ['domain_already_in_use', 'domain_taken', 'existing_project_domain', '409']

export function toFailureText(errorCode: string, error: string): string {
  return errorCode in hostingErrors ? error : `Vercel error: ${error}`
}
