/**
 * What `npm run dev` lays over `.env`, which may be that of a Keeper in earnest: sample data must neither sweep its
 * bucket nor mail its people nor take down its domains.
 */
export const developmentSettings = {
  DATABASE_URL: '',
  SMTP_URL: '',
  S3_BUCKET: '',
  S3_ENDPOINT: '',
  S3_REGION: '',
  S3_PREFIX: '',
  S3_ACCESS_KEY_ID: '',
  S3_SECRET_ACCESS_KEY: '',
  CUSTOM_DOMAIN_DRIVER: 'none',
  VERCEL_API_BASE_URL: '',
  VERCEL_TOKEN: '',
  VERCEL_PROJECT_ID: '',
  VERCEL_TEAM_ID: '',
}
