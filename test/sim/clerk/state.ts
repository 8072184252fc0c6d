/** Clerk as the fake keeps it: one instance and its redirect URLs, oldest first. */
export interface ClerkState {
  readonly instance: { readonly id: string; readonly environment: 'development' | 'production' };
  readonly redirects: ClerkRedirect[];
  readonly settings: {
    /** Most redirect URLs in one answer, whatever the request asks for. */
    pageSize: number;
    /** Whether `paginated=true` is answered with `{data, total_count}` instead of an array. */
    envelope: boolean;
  };
}

export interface ClerkRedirect {
  readonly id: string;
  url: string;
  readonly createdAt: number;
  updatedAt: number;
}
