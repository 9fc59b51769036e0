"""Ask the model: prompts, fences around what is data, and the protocol of its replies."""
