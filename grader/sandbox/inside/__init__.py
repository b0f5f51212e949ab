"""All that goes into a learner's process: copied there, with the kit and without anything else."""
