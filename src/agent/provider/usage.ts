// What asking a model took: tokens, calls and retries, and their sum.

export interface Usage {
  readonly prompt_tokens: number;
  readonly cached_tokens: number;
  readonly completion_tokens: number;
  readonly reasoning_tokens: number;
  /** Whether some number is our estimate, as the server said nothing. */
  readonly is_estimated: boolean;
  readonly calls: number;
  readonly retries: number;
}

export const NO_USAGE: Usage = {
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  reasoning_tokens: 0,
  is_estimated: false,
  calls: 0,
  retries: 0,
};

export const addUsage = (a: Usage, b: Usage): Usage => ({
  prompt_tokens: a.prompt_tokens + b.prompt_tokens,
  cached_tokens: a.cached_tokens + b.cached_tokens,
  completion_tokens: a.completion_tokens + b.completion_tokens,
  reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
  is_estimated: a.is_estimated || b.is_estimated,
  calls: a.calls + b.calls,
  retries: a.retries + b.retries,
});
